import {
  CheckFailure,
  CheckResponse,
  CreateResponse,
  DiffResponse,
  ReadResponse,
  UpdateResponse,
  type CheckRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import type { Adopt } from "../client/settings";
import { withSecretMarks, resourceProviderOf } from "../dynamic/resourceProvider";
import { cutFailures } from "../lifecycle/notes/explain";
import { objectAt } from "../lifecycle/objects/declarations";
import { argumentsOf } from "../lifecycle/objects/record";
import { importObject } from "../lifecycle/verbs/read";
import { kindNamed } from "../lifecycle/run";
import { type Context, contextKey, dynamicName, qualifiedNameIn, recordKey } from "../protocol";
import type { Kind } from "../schema/kind";
import { isWithin } from "../schema/walk";
import { withMarkAt } from "../values/secrets";
import { unknown } from "../values/unknown";
import { isObject, type JsonObject } from "../wire/json";
import { inTime } from "../values/inTime";
import type { Host } from "./host";
import { type Received, received, sent } from "./values";

interface OfResource {
  getUrn(): string;
}

const kindOfRequest = (request: OfResource): Kind =>
  kindNamed(/([^:$]*)::/.exec(qualifiedNameIn(request.getUrn()))?.[1] ?? "");

/** The lifecycle of all kinds as the engine calls it. */
export class Resources {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const kind = kindOfRequest(request);
    const { properties, secrets } = received(request.getNews());
    const { [contextKey]: ofClass, adopt, ...given } = properties;
    const own = { properties: given, secrets: secrets.filter(([name]) => name !== contextKey) };
    const context = isObject(ofClass) ? (ofClass as Context) : this.#contextOf(request, adopt as Adopt | undefined);
    const { properties: args, secrets: marks } = isObject(ofClass) ? own : this.#withDefaults(kind, own);
    const { inputs, failures } = await this.#callsOf(kind).check(received(request.getOlds()).properties, {
      ...args,
      [contextKey]: { ...context, secrets: [...(context.secrets ?? []), ...marks] },
    });
    return new CheckResponse()
      .setInputs(sent({ ...(inputs as JsonObject), ...codeOf(given) }))
      .setFailuresList((failures ?? []).map(({ reason }) => new CheckFailure().setReason(reason)));
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const kind = kindOfRequest(request);
    const [olds, news] = [received(request.getOlds()).properties, received(request.getNews()).properties];
    this.#ignoring(kind, news, request.getIgnorechangesList());
    const answer = await this.#callsOf(kind).diff(request.getId(), olds, news);
    const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = DiffResponse.DiffChanges;
    // Where it is unknown, the engine compares the inputs, and shows nested differences.
    const changes = answer.changes === undefined ? DIFF_UNKNOWN : answer.changes ? DIFF_SOME : DIFF_NONE;
    return new DiffResponse()
      .setChanges(changes)
      .setReplacesList(answer.replaces ?? [])
      .setDeletebeforereplace(answer.deleteBeforeReplace === true);
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const kind = kindOfRequest(request);
    const { properties } = received(request.getProperties());
    if (request.getPreview()) {
      await this.#preview(request, kind, properties);
      // Without an id: with one, SDKs take the object for one that exists, and call functions about it.
      return new CreateResponse().setProperties(
        sent({ ...raw(request.getProperties()), createdAt: unknown, updatedAt: unknown }),
      );
    }
    this.#assertSound(request);
    const { id, outs } = await within(request, this.#callsOf(kind).create(properties));
    return new CreateResponse().setId(id).setProperties(sent(recordable(outs as JsonObject, properties)));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const kind = kindOfRequest(request);
    const [olds, news] = [received(request.getOlds()).properties, received(request.getNews()).properties];
    if (request.getPreview()) {
      await this.#preview(request, kind, news);
      const { createdAt } = olds;
      return new UpdateResponse().setProperties(sent({ ...raw(request.getNews()), createdAt, updatedAt: unknown }));
    }
    this.#assertSound(request);
    this.#ignoring(kind, news, request.getIgnorechangesList());
    const { outs } = await within(request, this.#callsOf(kind).update(request.getId(), olds, news));
    return new UpdateResponse().setProperties(sent(recordable(outs as JsonObject, news)));
  }

  /** Without properties it is an import, or a function `get` of another language. */
  async read(request: ReadRequest): Promise<ReadResponse> {
    const kind = kindOfRequest(request);
    const id = request.getId();
    const { properties } = received(request.getProperties());
    const isImport = !Object.keys(properties).some((name) => name in kind.args.fields || name.startsWith("__"));
    if (isImport) {
      const { run } = this.#host;
      const found = await run.during(() => importObject(run, kind, id));
      if (found === undefined) return new ReadResponse();
      return new ReadResponse()
        .setId(id)
        .setProperties(sent(recordable(withSecretMarks(kind, found.outputs), {})))
        .setInputs(sent(withSecretMarks(kind, found.inputs ?? {})));
    }
    const found = (await this.#callsOf(kind).read(id, properties)) as {
      id?: string;
      props?: JsonObject;
      inputs?: JsonObject;
    };
    if (found.id === undefined) return new ReadResponse();
    const code = codeOf(properties);
    return new ReadResponse()
      .setId(id)
      .setProperties(sent(recordable(found.props ?? {}, properties)))
      .setInputs(found.inputs === undefined ? request.getInputs() : sent({ ...found.inputs, ...code }));
  }

  async delete(request: DeleteRequest): Promise<void> {
    const { properties } = received(request.getProperties());
    await within(request, this.#callsOf(kindOfRequest(request)).delete(request.getId(), properties));
  }

  #callsOf(kind: Kind) {
    return resourceProviderOf(kind, () => this.#host.run);
  }

  /** What a class would send, as far as the engine passes it on. */
  #contextOf(request: CheckRequest, adopt: Adopt | undefined): Context {
    const urn = request.getUrn();
    const { mapsSignature } = this.#host.run.settings;
    return {
      name: urn.split("::").slice(3).join("::"),
      qualifiedName: dynamicName(qualifiedNameIn(urn)),
      instance: urn,
      validatesLater: true,
      ...(adopt === undefined ? {} : { adopt }),
      ...(mapsSignature === undefined ? {} : { mapsSignature }),
    };
  }

  /** Adds the entries of settings such as `defaultLabels`, as a class does, and the paths of secret ones. */
  #withDefaults(kind: Kind, { properties, secrets }: Received): Received {
    const { run, secretSettings } = this.#host;
    const settings = run.settings as unknown as JsonObject; // by its names
    const added = Object.entries(kind.args.fields).flatMap(([name, { options }]) => {
      const { defaultsFrom = "" } = options;
      const own = properties[name] ?? {};
      if (!isObject(own)) return [];
      const isMissing = (key: string) => !Object.hasOwn(own, key) || own[key] === undefined || own[key] === null;
      const entries = Object.entries(settings[defaultsFrom] ?? {}).filter(([key]) => isMissing(key));
      const marks = secretSettings.filter((mark) => entries.some(([key]) => isWithin([defaultsFrom, key], [mark])));
      const merged = { ...own, ...Object.fromEntries(entries) };
      return entries.length === 0 ? [] : [{ name, merged, marks: marks.map(([, ...rest]) => [name, ...rest]) }];
    });
    return {
      properties: { ...properties, ...Object.fromEntries(added.map(({ name, merged }) => [name, merged])) },
      secrets: [...secrets, ...added.flatMap(({ marks }) => marks)],
    };
  }

  /** The engine knows what a component or transform has added. */
  #ignoring(kind: Kind, inputs: JsonObject, ignoreChanges: readonly string[]): void {
    if (ignoreChanges.length === 0) return;
    const { declarations } = this.#host.run;
    const slug = kind.slugOf(inputs);
    declarations.remember(kind, slug, { ...declarations.context(kind, slug), ignoreChanges });
  }

  /** Rejects what the check has rejected, and validates what it has left for this call. A class validates by itself. */
  async #preview(request: OfResource, kind: Kind, properties: JsonObject): Promise<void> {
    const { run } = this.#host;
    const { later, rejected, planned } = run.validations;
    const urn = request.getUrn();
    planned.set(objectAt(kind.name, kind.slugOf(properties)), argumentsOf(kind, properties));
    const { failures, isOutage, ...reported } = rejected.has(urn)
      ? { failures: rejected.get(urn) ?? [], warnings: [] }
      : await run.during(async () => later.get(urn)?.() ?? { failures: [], warnings: [] });
    run.noteValidation(reported);
    if (failures.length === 0) return;
    if (isOutage === true) throw new Error(cutFailures(failures).join("\n"));
    await this.#host.reject(cutFailures(failures));
  }

  /** An update may follow no preview. */
  #assertSound(request: OfResource): void {
    const failures = this.#host.run.validations.rejected.get(request.getUrn());
    if (failures !== undefined) throw new Error(cutFailures(failures).join("\n"));
  }
}

/** The properties with the engine's marks. */
const raw = (struct: ReturnType<CreateRequest["getProperties"]>) => struct?.toJavaScript() ?? {};

/** The code that a class gives its resource for the dynamic host. State keeps it, so that the resource can move there. */
const codeOf = ({ __provider }: JsonObject) => (__provider === undefined ? {} : { __provider });

/** Outputs for state. The record may quote a secret of the object: a class knows where that can be. */
const recordable = (outputs: JsonObject, { __provider }: JsonObject) =>
  __provider === undefined ? (withMarkAt(outputs, [recordKey]) as JsonObject) : { ...outputs, __provider };

/** A call that ends within the time that the option `customTimeouts` gives it. */
async function within<T>(request: { getTimeout(): number }, call: Promise<T>): Promise<T> {
  const secs = request.getTimeout();
  if (secs === 0) return call;
  const rest = 'The write may still happen: run "pulumi refresh" before the next update';
  return inTime(() => call, secs, `no answer within the ${secs} s of customTimeouts. ${rest}`);
}
