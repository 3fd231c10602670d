import { expect, test } from "vitest";
import { Watch } from "../../../dist/sdk/teams/operation/watch.js";

const urn = (type: string) => `urn:pulumi:dev::p::${type}::errors`;
const monitor = "pulumi-nodejs:dynamic/observability:Monitor";

/** A watch that has seen one event; the rest of the event is not read. */
function afterEvent(event: object): Watch {
  const watch = new Watch(() => undefined);
  watch.see({ sequence: 0, timestamp: 0, ...event } as unknown as Parameters<Watch["see"]>[0]);
  return watch;
}
const watched = (metadata: object) => afterEvent({ resOutputsEvent: { metadata } });

test.each([
  ["create", monitor, true, undefined],
  ["same", "random:index:Password", true, undefined],
  ["read", monitor, true, undefined],
  ["create", "platform:Alerts", false, undefined],
  ["create", "pulumi:pulumi:Stack", false, undefined],
  ["create", "random:index:Password", true, "it also creates random:index:Password"],
  ["create", "pulumi-nodejs:dynamic:Resource", true, "it also creates pulumi-nodejs:dynamic:Resource"],
  ["update", monitor, true, 'it also has to update Monitor "errors"'],
  ["delete", monitor, true, 'it also has to delete Monitor "errors"'],
] as const)("%s of %s (custom: %j) is an obstacle to going without checkpoints: %j", (op, type, custom, expected) => {
  expect(watched({ op, type, urn: urn(type), provider: "", new: { custom } }).obstacle).toBe(expected);
});

test.each([
  ["as it was", { a: "b" }, { a: "b" }, false],
  ["with another output", { a: "b" }, { a: "c" }, true],
  ["with an output more", {}, { a: "c" }, true],
  ["with a secret output, which may be another", { a: "[secret]" }, { a: "[secret]" }, true],
])("a stack %s has something to update: %j -> %j: %j", (_, before, after, expected) => {
  const states = { old: { custom: false, outputs: before }, new: { custom: false, outputs: after } };
  const type = "pulumi:pulumi:Stack";
  expect(watched({ op: "same", type, urn: urn(type), ...states }).hasChanges).toBe(expected);
});

test.each(["create", "update", "delete", "replace"])("a step %s is something to update", (op) => {
  expect(watched({ op, type: monitor, urn: urn(monitor) }).hasChanges).toBe(true);
});

test.each([
  ["info", "in any words [adopts-identical]", 1],
  ["warning", "in any words [adopts]\n", 1],
  ["error", "in any words [adopts-identical]", 0],
  ["info", 'monitor "errors" no longer exists in the service: the update recreates it', 0],
])("a message of severity %s %j counts %d adopted", (severity, message, expected) => {
  const diagnosticEvent = { severity, message, color: "never", urn: urn(monitor) };
  expect(afterEvent({ diagnosticEvent }).adopted).toBe(expected);
});
