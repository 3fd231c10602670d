import type { Kind } from "../../provider/schema/kind";
import { namespace } from "../../provider/schema/names";
import { scalarsOf } from "../../provider/schema/walk";
import { settingsTable } from "./docs";
import { programsOf } from "./languages";
import { header, markdownComment } from "./source";

// The pages that Pulumi's registry shows of a package, with the names and front matter that it expects.

const frontMatter = (title: string, description: string, from: string) =>
  `---\ntitle: ${title}\nmeta_desc: ${description}\nlayout: package\n---\n\n${header(markdownComment, from)}`;

/** The first page: what the package manages, and one program in each language. */
export const registryIndex = (kinds: readonly Kind[]): string =>
  [
    frontMatter("Observability", "Manage monitors, SLOs and notifiers as code with Pulumi.", "provider/kinds"),
    "The Observability provider manages the objects of a configuration service. During `pulumi preview`, the service validates new and changed resources, if it supports dry runs.",
    "## Resources",
    kinds
      .map(
        ({ name, description }) =>
          `- [${name}](/registry/packages/${namespace}/api-docs/${name.toLowerCase()}/): ${description}`,
      )
      .join("\n"),
    "## Example",
    '{{< chooser language "typescript,python,go,yaml" >}}',
    ...kinds
      .filter(({ root }) => scalarsOf(root).some(({ effect }) => effect === "schedule"))
      .flatMap((kind) => programsOf(kind, kinds))
      .map(
        ([language, program]) =>
          `{{% choosable language ${language} %}}\n\n\`\`\`${language}\n${program}\n\`\`\`\n\n{{% /choosable %}}`,
      ),
    "{{< /chooser >}}",
  ].join("\n\n") + "\n";

/** The page about packages and settings. */
export const registryInstallation = (): string =>
  [
    frontMatter(
      "Observability Installation & Configuration",
      "How to install and configure the Observability provider for Pulumi.",
      "provider/schema/settings.ts",
    ),
    "## Installation",
    "No version is published yet. `npm run release` in a clone of the repository writes all packages into the folder `release`:",
    [
      "- TypeScript and JavaScript: the npm package `pulumi-observability`. It needs no plugin.",
      "- Python: the wheel `pulumi_observability`.",
      "- Go: the module `pulumi-observability/go`.",
      "- Python, Go and YAML also need the plugin: `pulumi plugin install resource observability <version> --file <archive>`.",
    ].join("\n"),
    "Each needs Node.js 20.18.1 or newer, which runs the provider.",
    "## Configuration",
    settingsTable().join("\n"),
    "Set the two that are required:",
    `\`\`\`sh\npulumi config set ${namespace}:baseUrl https://config.example.com\npulumi config set --secret ${namespace}:apiToken\n\`\`\``,
  ].join("\n\n") + "\n";
