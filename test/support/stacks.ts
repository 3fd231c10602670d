import { createCipheriv, createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "./folders.js";
import { secretsProvider } from "./keys.js";

/** The key of all stacks that are made here. */
const key = Buffer.alloc(32, "tests");
/** What keeps the keys answers each as it came; see keys.ts. */
const encryptedkey = Buffer.from(key.toString("base64")).toString("base64");

/** A value of a stack's config. */
export type ConfigValue = string | { readonly secure: string };

/** A secret of a stack's config, as `pulumi config set --secret` encrypts it. */
export function encrypted(secret: string): ConfigValue {
  const nonce = createHash("sha256").update(secret).digest().subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const bytes = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return { secure: `v1:${nonce.toString("base64")}:${bytes.toString("base64")}` };
}

/** The name of the project in a folder. */
export const projectIn = (folder: string): string =>
  /^\W*name\W+([\w-]+)/m.exec(readFileSync(join(folder, "Pulumi.yaml"), "utf8"))?.[1] ?? "";

/** Makes and selects a stack as `pulumi stack init` does, which would take 0.3 s of computing. */
export function makeStack(
  { backend, home, project }: Readonly<Record<"backend" | "home" | "project", string>>,
  stack: string,
  config: Readonly<Record<string, ConfigValue>> = {},
): void {
  const projectName = projectIn(project);
  const name = `organization/${projectName}/${stack}`;
  const file = join(realpathSync(project), "Pulumi.yaml");
  const digest = createHash("sha1").update(file).digest("hex");
  writeFiles(backend, {
    ".pulumi/meta.yaml": "version: 1\n",
    [`.pulumi/stacks/${projectName}/${stack}.json`]: JSON.stringify({ version: 3, checkpoint: { stack: name } }),
  });
  writeFiles(project, {
    [`Pulumi.${stack}.yaml`]: JSON.stringify({ secretsprovider: secretsProvider, encryptedkey, config }),
  });
  writeFiles(home, { [`workspaces/${projectName}-${digest}-workspace.json`]: JSON.stringify({ stack: name }) });
}
