import { starter, type Standards } from "pulumi-observability/standards";

// What the payments team asks of itself. A change that breaks a rule is red; what was broken before is only counted.
const standards: Standards = {
  ...starter,
  Monitor: {
    ...starter.Monitor,
    "names its service": ({ labels }) => (labels?.service ? undefined : "the label service is missing"),
  },
};

export default standards;
