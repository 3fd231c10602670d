import { expect, test } from "vitest";
import { canonicalFilters, canonicalPromql } from "../../../dist/cli/promql/canonical.js";
import { metricsRead } from "../../../dist/cli/promql/metrics.js";
import { canonicalPattern } from "../../../dist/cli/promql/pattern.js";

test.each([
  [
    'sum(rate(http{b="1", a=~"y|x",}[300s] offset 60m)) without (d,c) # e',
    'sum without (c, d) (rate(http{a=~"x|y", b="1"}[5m] offset 1h))',
  ],
  ["(a + (b * c)) > (5)", "a + b * c > 5"],
  ["(a^b)^-c^d", "(a ^ b) ^ (-c ^ d)"],
  ["- - a * -(b+c)", "-(-a) * (-(b + c))"],
  ["(-1)^2 + +3.50 - -3", "(-1) ^ 2 + 3.5 - -3"],
  ["a * ON(x) group_left (y) (b)", "a * on (x) group_left (y) b"],
  ["a * on(x) group_left() (b)", "a * on (x) group_left () b"],
  ["foo offset 300s [10m:60s]", "foo offset 5m[10m:1m]"],
  ["foo offset -(60m)", "foo offset -1h"],
  ["foo offset 0s + foo[5m] offset -0 + foo[1h:] offset 0m @ 5", "foo + foo[5m] + foo[1h:] @ 5"],
  ["(foo) offset 0s + sum(foo) offset 0s", "(foo) offset 0d + sum(foo) offset 0d"],
  ["foo offset 0s offset 5m", "foo offset 0d offset 5m"],
  ["a * ignoring () b + ignoring() group_left (c) d", "a * b + ignoring () group_left (c) d"],
  ["foo @ START( ) offset -90s", "foo @ start() offset -90s"],
  ["foo @ -1e3", "foo @ -1000"],
  ["(foo)[5m:]", "(foo)[5m:]"],
  ["x[1h+5m]", "x[1h+5m]"],
  ["x[1500ms] + x[168h]", "x[1500ms] + x[7d]"],
  ["x[300]", "x[5m]"],
  ["0x1F + 017 + 1_0 + inf + nan + 1e21 + 90s", "31 + 15 + 10 + Inf + NaN + 1e+21 + 90"],
  ["5. + 0X1F - 1.e3", "5 + 31 - 1000"],
  ["{'foo', \"a\"='b'}", 'foo{a="b"}'],
  ['{__name__=~"up"} + {a="b", __name__=`up`}', 'up + up{a="b"}'],
  ['{__name__="inf"} + {__name__="sum"} + {"a b"}', '{__name__="inf"} + sum + {"a b"}'],
  ['{__name__="a", __name__="b"}', '{__name__="a", __name__="b"}'],
  ['{"a", "a"}', "a"],
  ['{__name__=~"a|b"}', '{__name__=~"a|b"}'],
  ['up{a=~"b", c!~"d-e", f=~"g.h"}', 'up{a="b", c!="d-e", f=~"g.h"}'],
  ['a{ $scope , c = "d" }[$window]\n / \tb{c="d  e"} ', 'a{$scope,c="d"}[$window]/b{c="d  e"}'],
  ["$a  > = $b >= - 1", "$a> =$b>=-1"],
  ["sum by (x) ($a offset 5m) + 1e -$b $ {c}", "sum by(x)($a offset 5m)+1e -$b $ {c}"],
  ["$a { {- b} }", "$a{ {-b} }"],
  ["{{-  b }} + $a", "{{- b }} + $a"],
  ['a{$scope} # "b"\n+ c', "a{$scope}+c"],
  ["{{ $a # b }}\n+ c", "{{ $a # b }}\n+ c"],
  ['up{a=~"^b$", c!~"^d", e=~"(?:f|(a|b))|c", g=~"^(b|a)$"}', 'up{a="b", c!="d", e=~"a|b|c|f", g=~"a|b"}'],
  ['up{a=~"^b.$", c=~"^*b", d=~"b\\\\$", f=~"(a)?"}', 'up{a=~"b.", c=~"^*b", d="b$", f=~"(a)?"}'],
  ['a{$scope}\n+ "b', 'a{$scope}\n+ "b'],
  ["sum by ('b c', \"a\") (x)", 'sum by ("b c", a) (x)'],
  ["topk without (a) (5,x)", "topk without (a) (5, x)"],
  ["count_values('v', x)", 'count_values("v", x)'],
  ["info(a, {b=`c\\d`})", "info(a, {b=`c\\d`})"],
  ["x{a='\\'\\n\\x41\\u00e9'} == x{a='\\'\\n'}", 'x{a="\'\\nAé"} == x{a="\'\\n"}'],
  // A byte, half of a character, and what a template could replace.
  ...["\\xff", "\\ud83d", "\\u0024y", "{\\x7b", "\\8"].map((each) => [`x{a="${each}"}`, `x{a="${each}"}`]),
  ["rate(x[60s] anchored) + fill(0) (x smoothed)", "rate(x[1m] anchored) + fill(0) x smoothed"],
  ["timestamp(+(up)) + timestamp((up)) + abs(+x)", "timestamp(+up) + timestamp(up) + abs(x)"],
  ["x[5m - 1m] offset - step ( )", "x[5m-1m] offset -step()"],
  // Prometheus continues the duration after a parenthesis and after a second sign.
  ["x offset (5m) > 2 + y offset 5m * 2", "x offset 5m > 2 + y offset 5m * 2"],
  ...["x offset (5m) * 2", "x offset - -5m + 2", "(x offset (5m+1m)) * 2"].map((each) => [each, each]),
  ["x # c\u2028 d\r+ 1 # \u00a0", "x + 1"],
  ["$x # c\u2028 d\r+ 1", "$x+1"],
  // Blanks that Prometheus rejects, and a plus before a range.
  ...["\u00a0", "\u3000", "\u2028", "\u0085", "\f"]
    .flatMap((blank) => [`x${blank}> 5`, `$x${blank}>`])
    .map((each) => [each, each]),
  ["rate(+x[5m])", "rate(+x[5m])"],
  ["up up", "up up"],
  ["", ""],
])("%j is %j in one spelling", (text, canonical) => {
  expect(canonicalPromql(text)).toBe(canonical);
  expect(canonicalPromql(canonical)).toBe(canonical);
});

test.each([
  ['b="2" , a=~"y|x"', 'a=~"x|y", b="2"'],
  ['{b="2"}', '{b="2"}'],
  ['a="b"} or {c="d"', 'a="b"} or {c="d"'],
  ['a="b" # the last', 'a="b" # the last'],
])("the filters %j are %j in one spelling", (text, canonical) => {
  expect(canonicalFilters(text)).toBe(canonical);
  expect(canonicalFilters(canonical)).toBe(canonical);
});

test.each([
  ["us|eu|us", "eu|us"],
  ["us-(?:b|a(d|c))|eu", "eu|us-ac|us-ad|us-b"],
  ["b[)|(]|a\\|c", "a\\|c|b[)|(]"],
  ["[^]|b]|[[:alpha:]|]|a", "[[:alpha:]|]|[^]|b]|a"],
  ["b|", "|b"],
  ["((b)|(?:a|d))|c", "a|b|c|d"],
  ["(b|a)?|(d)c", "(a|b)?|dc"],
  ["x-[1-3b]|[a]+", "[a]+|x-1|x-2|x-3|x-b"],
  ["[0-9]([a-d]|x)|b|a", "[0-9]([a-d]|x)|a|b"],
  // What cannot be read for sure stays.
  ...["(?i)b|a", "(?P<n>b|a)", "\\Qb|a\\E", "(b|a)\\1", "(b|a)++c", "b|(a", "b|a)", "b|[a", "b|a\\", "$x|a"].map(
    (each) => [each, each],
  ),
])("the pattern %j is %j in one order", (pattern, canonical) => {
  expect(canonicalPattern(pattern ?? "")).toBe(canonical);
  expect(canonicalPattern(canonical ?? "")).toBe(canonical);
});

test.each([" + ", " and on (x) "])("each metric of a long chain of%sis read", (operator) => {
  const names = Array.from({ length: 1_000 }, (_, i) => `m${i}`);
  expect(canonicalPromql(names.join(operator.replaceAll(" ", "  ")))).toBe(names.join(operator));
  expect(metricsRead(names.join(operator))).toEqual(names.map((name) => [["=", name]]));
  expect(metricsRead([...names, ...names].join(operator))).toContain("it is too long");
});
