// An iPad may ask as a Mac does; only the screen gives it away. No Mac has a touch screen.
"use strict";

const choice = document.getElementById("choice").dataset;
const address = navigator.maxTouchPoints > 1 ? choice.ipad : choice.mac;

if (address) {
    location.replace(address);
} else if (navigator.maxTouchPoints > 1) {
    document.getElementById("mac").hidden = true;
    document.getElementById("app").hidden = false;
}
