import * as pulumi from "@pulumi/pulumi";
import { environmentVariable } from "../provider/schema/names";
import { typePrefixes } from "../provider/protocol";
import { namespace } from "./providerArgs.gen";

/** Where the provider runs: in Pulumi's host of dynamic providers, or as a plugin. */
type Host = keyof typeof typePrefixes;

/**
 * The setting `host`, of stack config or else the environment. Every resource of a program has the same.
 * @throws {pulumi.RunError} for another value.
 */
export function host(): Host {
  const given = new pulumi.Config(namespace).get("host") ?? process.env[environmentVariable("host")];
  const known = given === undefined || given === "" ? "dynamic" : given;
  if (known in typePrefixes) return known as Host;
  throw new pulumi.RunError(`${namespace}:host must be one of "${Object.keys(typePrefixes).join('", "')}"`);
}

/** The type of a kind's resources under either host. */
export const typeOf = (kind: string, of: Host = host()) => typePrefixes[of] + kind;

/** An alias for a resource that the other host has made, so that it stays when the setting changes. */
export const otherType = (kind: string): pulumi.Alias => ({
  type: typeOf(kind, host() === "plugin" ? "dynamic" : "plugin"),
});

/** The package whose provider the resources have. */
export const providerPackage = () => (host() === "plugin" ? namespace : "pulumi-nodejs");
