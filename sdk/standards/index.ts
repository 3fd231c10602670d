export type { Resources } from "./resources.gen";
export { type About, type Answer, type Rule, type Standards, type Violation, violations } from "./standards";
export {
  alertsOnBurnRate,
  delivers,
  hasAnnotation,
  hasLabel,
  isDescribed,
  isRouted,
  starter,
  sustainsCritical,
} from "./starter";
