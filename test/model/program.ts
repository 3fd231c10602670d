import type { Kind } from "../../dist/provider/schema/kind.js";
import { edit } from "../property/arbitraries.js";
import { isZero, type Json } from "../property/meaning.js";
import { type Place, places, slugFromName, slugs } from "./commands.js";
import { type Declared, urnOf } from "./engine.js";

/** A program that is edited as a user edits one. */
export class Program {
  readonly #configs = new Map<Place, Json>();
  /** Where the user gave one; it stays in the file when the resource is commented out. */
  readonly #slugs = new Map<Place, string>();

  /** In the order of registration: what is referred to comes first. */
  resources(): Declared[] {
    const declared = [...this.#configs.keys()].map((place) => this.declared(place));
    return declared.sort((a, b) => a.dependencies.length - b.dependencies.length);
  }

  /** A resource as it is declared, or as it would be where it is not. */
  declared(place: Place, config = this.#configs.get(place) ?? {}): Declared {
    const { kind, name } = place;
    const slug = this.#slugs.get(place);
    if (!kind.isSingleton) {
      const args = slug === undefined ? config : { ...config, slug };
      return { kind, name, slug: slug ?? slugFromName(name), args, dependencies: [] };
    }
    const [dataset] = places.filter((each) => each.kind.name === "Dataset" && this.#configs.has(each));
    if (dataset === undefined) return { kind, name, slug: kind.singletonId, args: config, dependencies: [] };
    const shares = [...(config.datasetAllocations ?? []), { datasetSlug: this.declared(dataset).slug }];
    const dependencies = [urnOf(dataset.kind, dataset.name)];
    return { kind, name, slug: kind.singletonId, args: { ...config, datasetAllocations: shares }, dependencies };
  }

  /** Declares a resource, unless another one has its slug. */
  declare(place: Place, config: Json): void {
    if (this.#isFree(place, this.declared(place, config).slug)) this.#configs.set(place, config);
  }

  /** Changes one place of one resource's arguments. */
  change(pick: number, choice: number): void {
    const place = this.#pick(pick);
    const config = place && this.#configs.get(place);
    if (place === undefined || config === undefined) return;
    const edited = edit(place.kind, config, place.kind.example.args, choice);
    if (edited === undefined || refersElsewhere(place.kind, edited.config)) return;
    this.#configs.set(place, edited.config);
  }

  changeSlug(pick: number, choice: number): void {
    const place = this.#pick(pick);
    if (place === undefined || place.kind.isSingleton) return;
    const slug = slugs[choice % slugs.length];
    if (slug !== undefined && this.#isFree(place, slug)) this.#slugs.set(place, slug);
  }

  drop(pick: number): void {
    const place = this.#pick(pick);
    if (place !== undefined) this.#configs.delete(place);
  }

  #pick(pick: number): Place | undefined {
    const all = [...this.#configs.keys()];
    return all[pick % all.length];
  }

  #isFree({ kind, name }: Place, slug: string): boolean {
    return this.resources().every((each) => each.kind !== kind || each.name === name || each.slug !== slug);
  }
}

/** The whole of what a declaration means: with the name that the provider gives it. */
export const meant = ({ kind, name, slug, args }: Declared): Json =>
  kind.isSingleton ? args : { ...args, name: isZero(args.name) ? name : args.name, slug };

/** The example's dataset is not there. */
const refersElsewhere = (kind: Kind, config: Json) =>
  kind.isSingleton && (config.datasetAllocations ?? []).some((each: Json) => !/^known-/.test(each.datasetSlug ?? ""));
