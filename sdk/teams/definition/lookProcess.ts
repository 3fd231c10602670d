import { endWithParent } from "../operation/endWithParent";
import { redacted } from "../operation/secrets";
import { errorLine, placeOf } from "../../engine/words";
import type { TeamFile } from "./files";
import { loadTeam } from "./load";
import type { Looked } from "./look";
import { factsOf } from "./team";

// Nobody waits for a file that never ends once the parent has ended.
process.on("disconnect", () => process.exit());
endWithParent(process.pid, 0);
process.once("message", async (files: readonly TeamFile[]) => {
  for (const file of files) {
    const look = await loadTeam(file).then(
      (team) => ({ facts: factsOf(file.name, team) }),
      (error: unknown) => ({ failure: errorLine(error) + placeOf(error) }),
    );
    // Sent before the next file is loaded, which may end this process.
    await new Promise((sent) => process.send?.({ name: file.name, ...redacted(look) } satisfies Looked, sent));
  }
  process.exit(0);
});
