// An iPad may ask as a Mac does; only the screen gives it away. No Mac has a touch screen.
"use strict";

const choice = document.getElementById("choice");
const isIPad = navigator.maxTouchPoints > 1;

if (!isIPad) {
    location.replace(choice.dataset.mac);
} else if (choice.dataset.ipad) {
    location.replace(choice.dataset.ipad);
} else {
    document.getElementById("app").hidden = false;
}
