// Reads every object of every kind through the client: what the command `import` cannot do without.
import { Client } from "../dist/provider/client/client.js";
import { readSettings } from "../dist/provider/client/settings.js";
import { settingTexts } from "../dist/provider/client/settingTexts.js";
import { kinds } from "../dist/provider/kinds/index.gen.js";

const client = new Client(readSettings(settingTexts(() => undefined, process.env)));
const found = await Promise.all(
  kinds.map((kind) => (kind.isSingleton ? client.get(kind, kind.singletonId).catch(() => []) : client.list(kind))),
);
console.log(found.flat().length);
