import { addressOf } from "../../provider/client/settingTexts";
import { kinds } from "../../provider/kinds/index.gen";
import { rulesOf } from "../consequences/kinds/index";
import { type Output, reasonOf } from "../output/output";
import type { StackTarget } from "../pulumi/pulumi";
import { objectUnder, startRunOf } from "../pulumi/service";
import { merged } from "./merged";
import type { Review } from "./review";
import type { AskedNotifier } from "./routes";
import type { Source } from "./sources";
import { unroutedIn, type Wanted } from "./unrouted";

/** Asks the services of the stacks for the notifiers that labels name and no stack declares: usually for none. */
export async function withAskedNotifiers(review: Review, sources: readonly Source[], output: Output): Promise<Review> {
  const { wanted } = unroutedIn(review.stacks);
  const stacks = review.stacks.map(async (stack) => {
    const own = wanted.filter((each) => each.stack === stack.stack);
    const target = sources.find(({ preview }) => preview.stack === stack.stack)?.target;
    if (own.length === 0 || target === undefined) return stack;
    return { ...stack, askedNotifiers: await askedIn(target, own, output) };
  });
  return wanted.length === 0 ? review : merged([{ ...review, stacks: await Promise.all(stacks) }]);
}

async function askedIn(target: StackTarget, wanted: readonly Wanted[], output: Output): Promise<AskedNotifier[]> {
  const all = [
    ...new Map(wanted.map(({ service, slug }) => [JSON.stringify([service, slug]), { service, slug }])).values(),
  ];
  const delivering = kinds.filter(({ name }) => rulesOf(name).delivers);
  try {
    const run = await startRunOf(target, output);
    const address = addressOf(new URL(run.settings.baseUrl));
    const isThere = async (slug: string) =>
      (await Promise.all(delivering.map((kind) => objectUnder(run, kind, slug)))).flat().length > 0;
    return await Promise.all(
      all.map(async (each) =>
        each.service === "" || each.service === address
          ? { ...each, isThere: await isThere(each.slug) }
          : { ...each, problem: "the stack's settings have a different service URL" },
      ),
    );
  } catch (error) {
    return all.map((each) => ({ ...each, problem: reasonOf(error) }));
  }
}
