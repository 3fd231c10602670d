/** `urn:pulumi:<stack>::<project>::<types of the parents, joined by $>::<name>` */
export function urnParts(urn: string) {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  return { stack, project, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
