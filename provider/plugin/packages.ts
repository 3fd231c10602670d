import { createRequire } from "node:module";
import type * as grpcTypes from "@grpc/grpc-js";
import type * as emptyTypes from "google-protobuf/google/protobuf/empty_pb.js";
import type * as structTypes from "google-protobuf/google/protobuf/struct_pb.js";

// The packages that Pulumi's SDK uses, in its versions: messages of another copy would not be of its classes.
const ofPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));

export const grpc = ofPulumi("@grpc/grpc-js") as typeof grpcTypes;
export const { Struct } = ofPulumi("google-protobuf/google/protobuf/struct_pb.js") as typeof structTypes;
export const { Empty } = ofPulumi("google-protobuf/google/protobuf/empty_pb.js") as typeof emptyTypes;
