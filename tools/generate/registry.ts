import type { Kind } from "../../provider/schema/kind";
import { namespace } from "../../provider/schema/names";
import { scalarsOf } from "../../provider/schema/walk";
import { settingsTable } from "./docs";
import { programsOf } from "./languages";
import { bullets, code, page, pageHeader } from "./source";

// The pages that Pulumi's registry shows of a package, with the names and front matter that it expects.

const frontMatter = (title: string, description: string) =>
  `---\ntitle: ${title}\nmeta_desc: ${description}\nlayout: package\n---`;

/** The first page: what the package manages, and one program in each language. */
export const registryIndex = (kinds: readonly Kind[]): string =>
  page(
    frontMatter("Observability", "Manage monitors, SLOs and notifiers as code with Pulumi."),
    pageHeader("provider/kinds"),
    "The Observability provider manages the objects of a configuration service. During `pulumi preview`, the service validates new and changed resources, if it supports dry runs.",
    "## Resources",
    bullets(
      kinds.map(
        ({ name, description }) =>
          `[${name}](/registry/packages/${namespace}/api-docs/${name.toLowerCase()}/): ${description}`,
      ),
    ),
    "## Example",
    '{{< chooser language "typescript,python,go,yaml" >}}',
    ...kinds
      .filter(({ root }) => scalarsOf(root).some(({ effect }) => effect === "schedule"))
      .flatMap((kind) => programsOf(kind, kinds))
      .flatMap(([language, program]) => [
        `{{% choosable language ${language} %}}`,
        code(language, program),
        "{{% /choosable %}}",
      ]),
    "{{< /chooser >}}",
  );

/** The page about packages and settings. */
export const registryInstallation = (): string =>
  page(
    frontMatter(
      "Observability Installation & Configuration",
      "How to install and configure the Observability provider for Pulumi.",
    ),
    pageHeader("provider/schema/settings.ts"),
    "## Installation",
    "No version is published yet. `npm run release` in a clone of the repository writes all packages into the folder `release`:",
    bullets([
      "TypeScript and JavaScript: the npm package `pulumi-observability`. It needs no plugin.",
      "Python: the wheel `pulumi_observability`.",
      "Go: the module `pulumi-observability/go`.",
      "Python, Go and YAML also need the plugin: `pulumi plugin install resource observability <version> --file <archive>`.",
    ]),
    "Each needs Node.js 20.18.1 or newer, which runs the provider.",
    "## Configuration",
    settingsTable(),
    "Set the two that are required:",
    code(
      "sh",
      `pulumi config set ${namespace}:baseUrl https://config.example.com\npulumi config set --secret ${namespace}:apiToken`,
    ),
  );
