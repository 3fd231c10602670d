import { shape, string } from "../../schema/field";

/** The collection that an object belongs to. */
export const collectionRef = shape("CollectionRef", "The collection that an object belongs to.", {
  slug: string("The collection's slug."),
});
