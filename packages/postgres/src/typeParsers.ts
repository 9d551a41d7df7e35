import Pg from "pg"

const parsers = new Map<number, (text: string) => unknown>([
  // boolean, int8, int2, int4, json; times and counts are well below 2^53
  [16, (text) => text === "t"],
  [20, Number],
  [21, Number],
  [23, Number],
  [114, (text) => JSON.parse(text)]
])

/** Parsers of the results that statements rely on, whatever an embedding program makes of these types. */
export const typeParsers: Pg.CustomTypesConfig = {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own type has overloads by format
  getTypeParser: ((oid: number, format?: any) =>
    parsers.get(oid) ?? Pg.types.getTypeParser(oid, format)) as typeof Pg.types.getTypeParser
}
