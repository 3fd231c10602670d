import type * as pulumi from "@pulumi/pulumi";

/** True where two types are the same, `any` and optionality included. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`, as in `holds<Same<A, B>>()`. */
export declare function holds<T extends true>(): T;

/** Compiles only for `never`; what it is given instead is told. */
export declare function none<T extends never>(): T;

type IsAny<T> = 0 extends 1 & T ? true : false;

type Plain<I> = Exclude<I, Promise<unknown> | pulumi.OutputInstance<unknown> | undefined>;

/** How what is not known yet, or not set, may be given. */
type Pending<T> = pulumi.Output<T> | pulumi.Output<T | undefined> | Promise<T> | Promise<T | undefined>;

/**
 * The places of arguments, `email.to`, where an output or a promise is refused, or anything is taken.
 */
export type Closed<Args> = ClosedFields<Args, "">;

type ClosedFields<Fields, Path extends string> = {
  [K in keyof Fields & string]-?: ClosedField<Fields[K], Path extends "" ? K : `${Path}.${K}`>;
}[keyof Fields & string];

type ClosedField<Field, Path extends string> =
  IsAny<Field> extends true ? Path : [Pending<Plain<Field>>] extends [Field] ? ClosedValue<Plain<Field>, Path> : Path;

type ClosedItem<Item, Path extends string> =
  IsAny<Item> extends true
    ? Path
    : [pulumi.Output<Plain<Item>> | Promise<Plain<Item>>] extends [Item]
      ? ClosedValue<Plain<Item>, Path>
      : Path;

type ClosedValue<Value, Path extends string> = Value extends string | number | boolean
  ? never
  : Value extends readonly (infer Item)[]
    ? ClosedItem<Item, `${Path}[]`>
    : string extends keyof Value
      ? ClosedItem<Value[keyof Value], `${Path}{}`>
      : ClosedFields<Value, Path>;

type Identity = "name" | "slug" | "createdAt" | "updatedAt";
type OutputsOf<Resource> = Omit<Resource, keyof pulumi.CustomResource>;

/** The outputs that are not typed as they should be: identity and times always there, everything else maybe not. */
export type Mistyped<Resource> = {
  [K in keyof OutputsOf<Resource>]-?: IsAny<Resource[K]> extends true
    ? K
    : K extends Identity
      ? Same<Resource[K], pulumi.Output<string>> extends true
        ? never
        : K
      : Resource[K] extends pulumi.OutputInstance<infer Value>
        ? IsAny<Value> extends true
          ? K
          : undefined extends Value
            ? never
            : K
        : K;
}[keyof OutputsOf<Resource>];

/** The arguments without an output that would do as the same argument of another resource. */
export type Unfit<Resource, Args> = {
  [K in keyof Args]-?: K extends keyof Resource ? (Resource[K] extends Args[K] ? never : K) : K;
}[keyof Args];
/** The outputs that are not arguments. */
export type Beside<Resource, Args> = Exclude<keyof OutputsOf<Resource>, keyof Args>;
