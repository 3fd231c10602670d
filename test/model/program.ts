import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { edit } from "../property/edits.js";
import { isZero, type Json } from "../property/equivalence.js";
import { type Command, type Move, type Place, places, slugFromName, slugs } from "./commands.js";
import { noOptions, type Options } from "./options.js";
import type { Declared, Defaults, ProviderName } from "./state.js";

/** A resource in the program's file; it stays there when it is commented out. */
interface Entry {
  readonly isDeclared: boolean;
  readonly config: Json;
  /** If the user gave one. */
  readonly slug?: string;
  readonly options: Options;
  readonly provider: ProviderName;
  readonly isInComponent: boolean;
  readonly isRenamed: boolean;
  readonly aliases: readonly string[];
}

const atFirst: Entry = {
  isDeclared: false,
  config: {},
  options: noOptions,
  provider: "default",
  isInComponent: false,
  isRenamed: false,
  aliases: [],
};

/** A program that is edited as a user edits one. */
export class Program {
  readonly #entries = new Map<Place, Entry>();
  readonly #defaults = new Map<ProviderName, Defaults>();

  /** In the order of registration: what is referred to comes first. */
  resources(): Declared[] {
    const declared = this.#places().map((place) => this.declared(place));
    const [first] = declared.filter(({ kind, options }) => !kind.isSingleton && !options.comesLate);
    const late = (each: Declared) =>
      first !== undefined && each.options.comesLate
        ? { ...each, dependencies: [...new Set([...each.dependencies, first.urn])] }
        : each;
    const rank = ({ kind, dependencies }: Declared) => (kind.isSingleton ? 2 : Math.min(1, dependencies.length));
    return declared.map(late).sort((a, b) => rank(a) - rank(b));
  }

  /** A resource as it is declared, or as it would be if it were. */
  declared(place: Place, entry = this.#entryOf(place)): Declared {
    const { kind } = place;
    const { config, slug, options, provider, aliases } = entry;
    const name = nameOf(place, entry);
    const defaults = Object.entries(this.defaultsOf(provider)).filter(([name]) => takesDefaults(kind, name));
    const common = {
      kind,
      name,
      urn: urnOf(place, entry),
      aliases,
      provider,
      options,
      defaults: Object.fromEntries(defaults),
    };
    if (!kind.isSingleton) {
      const args = slug === undefined ? config : { ...config, slug };
      return { ...common, slug: slug ?? slugFromName(name), args, dependencies: [] };
    }
    const dataset = this.#places().find((each) => each.kind.name === "Dataset");
    if (dataset === undefined) return { ...common, slug: kind.singletonId, args: config, dependencies: [] };
    const { urn, slug: datasetSlug } = this.declared(dataset);
    const args = { ...config, datasetAllocations: [...(config.datasetAllocations ?? []), { datasetSlug }] };
    return { ...common, slug: kind.singletonId, args, dependencies: [urn] };
  }

  /** Edits the program as a command says. @returns false if the command is about something else. */
  edit(command: Command): boolean {
    switch (command.does) {
      case "declare": {
        const place = places[command.place];
        if (place !== undefined)
          this.#put(place, { ...this.#entryOf(place), config: command.config, isDeclared: true });
        return true;
      }
      case "change":
        return this.#change(command.pick, (entry, { kind }) => {
          const { config } = edit(kind, entry.config, kind.example, command.choice) ?? entry;
          return refersElsewhere(kind, config) ? entry : { ...entry, config };
        });
      case "change the slug": {
        const slug = slugs[command.choice % slugs.length] ?? slugs[0];
        return this.#change(command.pick, (entry, { kind }) => (kind.isSingleton ? entry : { ...entry, slug }));
      }
      case "set options":
        return this.#change(command.pick, (entry, { kind }) => ({
          ...entry,
          options: command.options[kinds.indexOf(kind)] ?? entry.options,
        }));
      case "move":
        return this.#change(command.pick, (entry, place) => this.#moved(entry, place, command));
      case "set defaults":
        this.#defaults.set(command.provider, command.defaults);
        return true;
      case "drop":
        return this.#change(command.pick, (entry) => ({ ...entry, isDeclared: false }));
      default:
        return false;
    }
  }

  /** To another parent, provider or name, with an alias or without. */
  #moved(entry: Entry, place: Place, move: Move): Entry {
    const { goesToComponent, changesProvider, changesName, keepsSlug, hasAlias, adopt } = move;
    const { isInComponent, isRenamed, provider, options } = entry;
    const { slug } = this.declared(place);
    const renamed = {
      ...entry,
      isInComponent: isInComponent !== goesToComponent,
      isRenamed: isRenamed !== changesName,
    };
    // In its file, what moves may come later than what stays.
    if (goesToComponent) this.#entries.delete(place);
    this.#entries.set(place, entry);
    // With an alias a resource keeps the slug that was made of its name: then its file says so.
    const keeps = changesName && !place.kind.isSingleton && (keepsSlug || hasAlias);
    return {
      ...renamed,
      ...(keeps ? { slug } : {}),
      provider: changesProvider ? (provider === "default" ? "explicit" : "default") : provider,
      aliases: hasAlias ? [urnOf(place, entry), ...entry.aliases].filter((urn) => urn !== urnOf(place, renamed)) : [],
      options: adopt === undefined ? options : { ...options, adopt },
    };
  }

  /** What a provider adds to the resources that it has. */
  defaultsOf(provider: ProviderName): Defaults {
    return this.#defaults.get(provider) ?? {};
  }

  clearOptions(): void {
    for (const [place, entry] of this.#entries) this.#entries.set(place, { ...entry, options: noOptions });
  }

  urnAt(pick: number): string | undefined {
    const place = this.#pick(pick);
    return place && this.declared(place).urn;
  }

  #entryOf(place: Place): Entry {
    return this.#entries.get(place) ?? atFirst;
  }

  #places(): Place[] {
    return [...this.#entries].flatMap(([place, { isDeclared }]) => (isDeclared ? [place] : []));
  }

  /** Changes what is picked, if anything is declared. */
  #change(pick: number, changed: (entry: Entry, place: Place) => Entry): true {
    const place = this.#pick(pick);
    if (place !== undefined) this.#put(place, changed(this.#entryOf(place), place));
    return true;
  }

  #pick(pick: number): Place | undefined {
    const all = this.#places();
    return all[pick % all.length];
  }

  /** Unless another resource has the slug. */
  #put(place: Place, entry: Entry): void {
    const { kind, slug } = this.declared(place, entry);
    const others = places.filter((each) => each !== place && this.#entryOf(each).isDeclared);
    const isFree = others.every((each) => each.kind !== kind || this.declared(each).slug !== slug);
    if (isFree || !entry.isDeclared) this.#entries.set(place, entry);
  }
}

const nameOf = ({ name }: Place, { isRenamed }: Entry) => (isRenamed ? `${name} 2` : name);

const urnOf = (place: Place, entry: Entry) =>
  `${entry.isInComponent ? "component$" : ""}${place.kind.name}::${nameOf(place, entry)}`;

const takesDefaults = (kind: Kind, argument: string) => kind.args.fields[argument]?.options.defaultsFrom !== undefined;

/** The whole of what a declaration means: with what the provider adds, and the name that it gives. */
export function meant({ kind, name, slug, args, defaults }: Declared): Json {
  if (kind.isSingleton) return args;
  const added = Object.entries(defaults).map(([argument, entries]) => [argument, { ...entries, ...args[argument] }]);
  return { ...args, ...Object.fromEntries(added), name: isZero(args.name) ? name : args.name, slug };
}

/** The example's dataset is not there. */
const refersElsewhere = (kind: Kind, config: Json) =>
  kind.isSingleton && (config.datasetAllocations ?? []).some((each: Json) => !/^known-/.test(each.datasetSlug ?? ""));
