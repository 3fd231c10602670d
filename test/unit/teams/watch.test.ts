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

const recorded = { urn: urn(monitor), inputs: {}, provider: "p", dependencies: ["a", "b"] };
/** Whether a resource needs an update if its program changes only this, which the service never gets. */
function isToUpdate(change: object): boolean {
  const oldState = { ...recorded, id: "errors", outputs: { slug: "errors" }, sourcePosition: "project:///a.mjs#1,3" };
  const watch = new Watch(() => undefined);
  watch.seeDigest(JSON.stringify({ steps: [{ op: "same", oldState, newState: { ...recorded, ...change } }] }));
  return watch.hasChanges;
}

test.each([
  { urn: urn(`platform:Alerts$${monitor}`) },
  { provider: "q" },
  { inputs: { labelQuery: "[secret]" } },
  { dependencies: ["a"] },
  ...["protect", "retainOnDelete"].map((option) => ({ [option]: true })),
  { customTimeouts: { delete: 60 } },
  { deletedWith: "a" },
  ...["ignoreChanges", "replaceOnChanges", "additionalSecretOutputs"].map((option) => ({ [option]: ["labels"] })),
])("%j of an unchanged resource is something to update", (change) => expect(isToUpdate(change)).toBe(true));

test.each([
  {},
  { dependencies: ["b", "a"] },
  { sourcePosition: "project:///a.mjs#2,3", stackTrace: [] },
  { aliases: ["a"] },
])("%j of an unchanged resource is nothing to update", (change) => expect(isToUpdate(change)).toBe(false));

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

test.each(["preview", "update"])("that the %s has failed is no error of its own", (operation) => {
  const watch = afterEvent({ diagnosticEvent: { severity: "error", message: "the slug is taken", urn: urn(monitor) } });
  watch.see({ diagnosticEvent: { severity: "error", message: `${operation} failed` } } as never);
  expect(watch.reason).toBe('Monitor "errors": the slug is taken');
});
