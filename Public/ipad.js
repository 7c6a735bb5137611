// An iPad may ask as a Mac does; only the screen gives it away. No Mac has a touch screen.
"use strict";

const choice = document.getElementById("choice").dataset;
const isIPad = navigator.maxTouchPoints > 1;

if (isIPad && choice.ipad) {
    location.replace(choice.ipad);
} else if (isIPad) {
    const mac = document.getElementById("mac");
    if (mac) mac.hidden = true;
    document.getElementById("app").hidden = false;
} else if (choice.mac) {
    location.replace(choice.mac);
}
