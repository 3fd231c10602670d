import { starter, type Standards } from "pulumi-observability/standards";

// The rules of the payments team. A change that breaks a rule fails the review. Older violations are only counted.
const standards: Standards = {
  ...starter,
  Monitor: {
    ...starter.Monitor,
    "names its service": ({ labels }) => (labels?.service ? undefined : "the label service is missing"),
  },
};

export default standards;
