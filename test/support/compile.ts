import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const { file } = createRequire(import.meta.url)("./compiled.cjs") as { file: string };

/** Before the first test of an installation: one provider goes through a life, and keeps what was compiled of the packages. */
export default async function compile(): Promise<void> {
  if (existsSync(file)) return;
  const { startService } = await import("@pulumi-observability/service");
  const { startHost } = await import("./host.js");
  const { caseOf } = await import("./cases.js");
  const service = await startService({ token: "compile" });
  process.env.TEST_COMPILES = "1";
  const host = await startHost({ baseUrl: service.url, apiToken: "compile", validate: "always" }, "compile");
  delete process.env.TEST_COMPILES;
  const { kind, args } = caseOf("Monitor");
  const { inputs } = await host.check(kind.name, {}, { ...args, slug: "compile" });
  const { id, outputs } = await host.create(kind.name, inputs);
  await host.diff(kind.name, id, outputs, inputs);
  await host.read(kind.name, id, outputs);
  await host.delete(kind.name, id, outputs);
  await host.stop();
  await service.close();
  if (!existsSync(file)) throw new Error(`nothing was compiled into ${file}: ${host.output()}`);
}
