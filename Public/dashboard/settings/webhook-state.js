// Whether a webhook works.
import { html } from "../shared/element.js";
import { timeElement } from "../shared/formats.js";
import { texts } from "../shared/texts.js";

/**
 * Its last attempts have failed, or it was given up for that.
 *
 * @param {Webhook} webhook
 */
export const isFailing = ({ disabled, disabledReason, failingSince }) =>
  disabled ? disabledReason !== null && disabledReason !== "manual" : failingSince !== null;

/** @param {Webhook} webhook */
export function endpointState(webhook) {
  const { disabled, disabledReason, failingSince } = webhook;
  const state = disabled ? (disabledReason ?? "disabled") : "enabled";
  const text =
    disabled || !failingSince
      ? (texts.webhookStates[state] ?? texts.webhookStates.disabled)
      : [texts.failingSince, " ", timeElement(failingSince)];
  const working = disabled ? "disabled" : "active";
  const look = isFailing(webhook) ? "wrong" : working;
  return html.span({ class: `state ${look}` }, text);
}
