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
import { providerText } from "../dynamic/providerText";
import { withSecretMarks, resourceProviderOf } from "../dynamic/resourceProvider";
import { failuresText } from "../lifecycle/notes/explain";
import { noteOptionPaths } from "../lifecycle/notes/warnings";
import { isRecordedAt, objectKey } from "../lifecycle/objects/claims";
import { argumentsOf } from "../lifecycle/objects/record";
import { Target } from "../lifecycle/objects/target";
import { importObject } from "../lifecycle/verbs/read";
import { changeRemedy, createRemedy } from "../lifecycle/verbs/write";
import { kindNamed } from "../lifecycle/session";
import { type Context, contextKey, dynamicName, qualifiedNameIn, recordKey, type Validation } from "../protocol";
import type { Kind } from "../schema/kind";
import { isWithin } from "../schema/walk";
import { withMarkAt } from "../values/secrets";
import { unknown } from "../values/unknown";
import { isObject, type JsonObject } from "../wire/json";
import { inTime } from "../base/inTime";
import type { PluginProcess } from "./pluginProcess";
import { type Received, received, sent } from "./values";

interface OfResource {
  getUrn(): string;
}

const kindOfRequest = (request: OfResource): Kind =>
  kindNamed(/([^:$]*)::/.exec(qualifiedNameIn(request.getUrn()))?.[1] ?? "");

/** The lifecycle of all kinds as the engine calls it. */
export class Resources {
  readonly #host: PluginProcess;

  constructor(host: PluginProcess) {
    this.#host = host;
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const kind = kindOfRequest(request);
    const { properties, secrets } = received(request.getNews());
    const { [contextKey]: ofClass, ...given } = properties;
    const { adopt, ...others } = given; // A class has an option instead.
    const context = isObject(ofClass) ? (ofClass as Context) : this.#contextOf(request, adopt as Adopt | undefined);
    const { properties: args, secrets: marks } = isObject(ofClass)
      ? { properties: given, secrets: secrets.filter(([name]) => name !== contextKey) }
      : this.#withDefaults(kind, { properties: others, secrets });
    const { inputs, failures = [] } = await this.#callsOf(kind).check(received(request.getOlds()).properties, {
      ...args,
      [contextKey]: { ...context, secrets: [...(context.secrets ?? []), ...marks] },
    });
    const reasons = failures.map(({ reason }) => reason);
    if (!isObject(ofClass) && hasOnlyChecks()) reasons.push(...(await this.#validation(request.getUrn(), {})).failures);
    return new CheckResponse()
      .setInputs(sent({ ...(inputs as JsonObject), ...codeOf(given) }))
      .setFailuresList(reasons.map((reason) => new CheckFailure().setReason(reason)));
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
      await this.#preview(request, kind, {}, properties);
      // Without an id: with one, SDKs take the object for one that exists, and call functions about it.
      return new CreateResponse().setProperties(
        sent({ ...raw(request.getProperties()), createdAt: unknown, updatedAt: unknown }),
      );
    }
    await this.#assertSound(request.getUrn());
    const { id, outs } = await within(request, this.#callsOf(kind).create(properties), createRemedy);
    return new CreateResponse().setId(id).setProperties(sent(recordable(kind, outs as JsonObject, properties)));
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const kind = kindOfRequest(request);
    const [olds, news] = [received(request.getOlds()).properties, received(request.getNews()).properties];
    if (request.getPreview()) {
      await this.#preview(request, kind, olds, news);
      const times = { createdAt: olds.createdAt, updatedAt: unknown };
      return new UpdateResponse().setProperties(sent({ ...raw(request.getNews()), ...times }));
    }
    await this.#assertSound(request.getUrn(), olds);
    this.#ignoring(kind, news, request.getIgnorechangesList());
    const { outs } = await within(request, this.#callsOf(kind).update(request.getId(), olds, news));
    return new UpdateResponse().setProperties(sent(recordable(kind, outs as JsonObject, news)));
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const kind = kindOfRequest(request);
    const id = request.getId();
    const { properties } = received(request.getProperties());
    const isFirstRead = !Object.keys(properties).some((name) => name in kind.args.fields || name.startsWith("__"));
    // A function `get` of another language has inputs, if empty ones. What it reads is managed elsewhere.
    if (isFirstRead && !request.hasInputs()) {
      const { session } = this.#host;
      const owner = dynamicName(qualifiedNameIn(request.getUrn()));
      const found = await session.during(() => importObject(session, kind, id, owner));
      if (found === undefined) return new ReadResponse();
      return new ReadResponse()
        .setId(id)
        .setProperties(sent(recordable(kind, withSecretMarks(kind, found.outputs), {})))
        .setInputs(sent(withSecretMarks(kind, found.inputs ?? {})));
    }
    const found = (await this.#callsOf(kind).read(id, properties)) as {
      id?: string;
      props?: JsonObject;
      inputs?: JsonObject;
    };
    if (found.id === undefined) return new ReadResponse();
    const inputs = received(request.getInputs()).properties;
    return new ReadResponse()
      .setId(id)
      .setProperties(sent(recordable(kind, found.props ?? {}, inputs)))
      .setInputs(found.inputs === undefined ? request.getInputs() : sent({ ...found.inputs, ...codeOf(inputs) }));
  }

  async delete(request: DeleteRequest): Promise<void> {
    const [kind, id] = [kindOfRequest(request), request.getId()];
    const olds = received(request.getProperties()).properties;
    const { origin, claims } = this.#host.session;
    const awaited = claims.all().filter(({ step }) => step === "awaited");
    // After a rename, the engine deletes under the former URN.
    const next =
      awaited.find(({ instance }) => instance === request.getUrn()) ??
      awaited.find((each) => isRecordedAt(each, origin.serviceUrl, objectKey(kind.name, id)));
    const { failures } = next === undefined ? { failures: [] } : await this.#validation(next.instance, olds, true, id);
    // Otherwise the user would have neither object.
    const why = "not deleted, because its replacement failed the validation";
    if (failures.length > 0) throw new Error(`${why}: ${failuresText(failures)}`);
    await within(request, this.#callsOf(kind).delete(id, olds));
  }

  #callsOf(kind: Kind) {
    return resourceProviderOf(kind, () => this.#host.session);
  }

  /** What a class would send, as far as the engine passes it on. */
  #contextOf(request: CheckRequest, adopt: Adopt | undefined): Context {
    const urn = request.getUrn();
    const { defaultsDigest } = this.#host.session.settings;
    return {
      name: urn.split("::").slice(3).join("::"),
      qualifiedName: dynamicName(qualifiedNameIn(urn)),
      instance: urn,
      validatesLater: true,
      ...(adopt === undefined ? {} : { adopt }),
      ...(defaultsDigest === undefined ? {} : { defaultsDigest }),
    };
  }

  /** Adds the entries of settings such as `defaultLabels`, as a class does, and the paths of secret ones. */
  #withDefaults(kind: Kind, { properties, secrets }: Received): Received {
    const { session, secretSettings } = this.#host;
    const settings = session.settings as unknown as JsonObject; // by its names
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
    const { session } = this.#host;
    const key = objectKey(kind.name, kind.slugOf(inputs));
    const context = { ...session.contexts.get(key), ignoreChanges };
    session.contexts.set(key, context);
    noteOptionPaths(new Target(session, kind, argumentsOf(kind, inputs), undefined, { context }));
  }

  /** Rejects what the check has rejected, and validates what it has left for this call. With a class, nothing is left. */
  async #preview(request: OfResource, kind: Kind, olds: JsonObject, properties: JsonObject): Promise<void> {
    const { session } = this.#host;
    const key = objectKey(kind.name, kind.slugOf(properties));
    session.progress.previewed.set(key, argumentsOf(kind, properties));
    const { failures, outage } = await this.#validation(request.getUrn(), olds);
    if (failures.length === 0) return;
    if (outage !== undefined) throw new Error(failuresText(failures));
    await this.#host.reject(failures);
  }

  /** An update may follow no preview. */
  async #assertSound(urn: string, olds: JsonObject = {}): Promise<void> {
    const { failures } = await this.#validation(urn, olds, this.#host.session.settings.validate === "always");
    if (failures.length > 0) throw new Error(failuresText(failures));
  }

  /** What the check has found, or else what it has left for this call, if that is due. */
  async #validation(
    urn: string,
    olds: JsonObject,
    isDue = this.#host.session.settings.validate !== "never",
    deletedSlug?: string,
  ): Promise<Validation> {
    const { session } = this.#host;
    session.results.read();
    const failures = session.results.failuresOf(urn);
    const ask = isDue ? session.progress.leftForLater.get(urn) : undefined;
    if (failures.length > 0 || ask === undefined) return { failures, warnings: [] };
    const validation = await session.during(() => ask(olds, deletedSlug));
    session.noteValidation(validation);
    return validation;
  }
}

/** Whether the engine calls neither create nor update in a preview. Its calls don't show whether this is one. */
const hasOnlyChecks = () => /^(1|true)$/i.test(process.env.PULUMI_DISABLE_PROVIDER_PREVIEW ?? "");

/** The properties with the engine's marks. */
const raw = (struct: ReturnType<CreateRequest["getProperties"]>) => struct?.toJavaScript() ?? {};

/** The code that a class gives its resource for the dynamic host. */
const codeOf = ({ __provider }: JsonObject) => (__provider === undefined ? {} : { __provider });

/**
 * Outputs for state, with the code that the dynamic host runs to read and delete the object, so that a class can take the
 * resource there. The record may quote a secret of the object: a class, whose inputs have the code, knows where that can be.
 */
const recordable = (kind: Kind, outputs: JsonObject, { __provider }: JsonObject): JsonObject => ({
  ...(__provider === undefined ? (withMarkAt(outputs, [recordKey]) as JsonObject) : outputs), // still an object
  __provider: providerText(kind.name),
});

/** A call that ends within the time that the option `customTimeouts` gives it. */
async function within<T>(request: { getTimeout(): number }, call: Promise<T>, remedy = changeRemedy): Promise<T> {
  const secs = request.getTimeout();
  if (secs === 0) return call;
  return inTime(() => call, secs, `no answer within the ${secs} s of customTimeouts, so ${remedy}`);
}
