#!/usr/bin/env node
import "../lifecycle/closedPipes";
import { activity } from "./activity";
import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { GetSchemaResponse, ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import type { ProviderHandshakeRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../client/version.gen";
import { endWithEngine, interruptSession } from "../lifecycle/providerProcess";
import { checkConfig, configure, diffConfig } from "./configuration";
import { invoke } from "./functions";
import { PluginProcess } from "./pluginProcess";
import { Empty, grpc } from "./packages";
import { Resources } from "./resources";

// The provider as a plugin: the engine starts this process, reads the port from its standard output, and calls it by gRPC.

// Not in dist: the compiler does not copy it.
const schemaFile = join(__dirname, "../../../provider/plugin/schema.gen.json");

const host = new PluginProcess();
const resources = new Resources(host);

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- each method has its own request and response */
type Method = (request: any) => unknown;

const methods: Readonly<Record<string, Method>> = {
  handshake(request: ProviderHandshakeRequest) {
    host.address = request.getEngineAddress() || host.address;
    return new ProviderHandshakeResponse().setAcceptSecrets(true);
  },
  attach(request: PluginAttach) {
    host.address = request.getAddress();
    return new Empty();
  },
  getPluginInfo: () => new PluginInfo().setVersion(version),
  getSchema: () => new GetSchemaResponse().setSchema(readFileSync(schemaFile, "utf8")),
  checkConfig: (request) => checkConfig(host, request),
  diffConfig,
  configure: (request) => configure(host, request),
  check: (request) => resources.check(request),
  diff: (request) => resources.diff(request),
  create: (request) => resources.create(request),
  update: (request) => resources.update(request),
  read: (request) => resources.read(request),
  delete: (request) => resources.delete(request).then(() => new Empty()),
  invoke: (request) => invoke(host, request),
  cancel() {
    interruptSession();
    return new Empty();
  },
};

type Call = ServerUnaryCall<{ getUrn?: () => string }, unknown>;

const served = Object.fromEntries(
  Object.keys(ResourceProviderService).map((name) => [
    name,
    (call: Call, done: sendUnaryData<unknown>) => {
      const method = methods[name];
      if (method === undefined) {
        done({ code: grpc.status.UNIMPLEMENTED, details: `${name} is not implemented` });
        return;
      }
      host
        .during(call.request.getUrn?.() ?? "", async () => method(call.request))
        .then(
          (response) => done(null, response),
          (error: unknown) => done({ code: grpc.status.UNKNOWN, details: (error as Error).message }), // only errors are thrown
        );
    },
  ]),
);

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(ResourceProviderService, served);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  activity.end();
  // Here, because the engine may end before its first call, which starts the session.
  endWithEngine(host.address);
  console.log(port);
});
