// The program of every project here: it declares what declarations.json says, each resource after those before it.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");

/** @type {import("./declarations.js").Declarations} */
const { provider, resources } = JSON.parse(readFileSync(join(__dirname, "declarations.json"), "utf8"));

/** The arguments with those encrypted that the program itself calls secret. */
const withSecrets = (/** @type {import("./declarations.js").Declared} */ { args, secrets = [] }) => ({
  ...args,
  ...Object.fromEntries(secrets.map((name) => [name, pulumi.secret(args[name])])),
});

/** @type {pulumi.CustomResourceOptions} */
const options = {};
if (provider) {
  const own = new obs.Provider("own", provider);
  options.parent = new pulumi.ComponentResource("team:index:Alerts", "checkout", {}, { provider: own });
}

/** @type {pulumi.Resource[]} */
const declared = [];
for (const resource of resources) {
  const { kind, name, read } = resource;
  const Resource = Reflect.get(obs, kind);
  declared.push(
    read === undefined
      ? new Resource(name, withSecrets(resource), { ...options, dependsOn: [...declared] })
      : Resource.get(name, read, options),
  );
}
