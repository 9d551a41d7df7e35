import { AutoCorrect, CliConfig } from "@effect/cli"

/** Suggests the `known` words similar to `word`; empty without a match. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const near = [...known]
    .map((name) => ({ name, distance: AutoCorrect.levensteinDistance(word, name, CliConfig.defaultConfig) }))
    .filter(({ distance, name }) => distance <= Math.max(1, Math.floor(name.length / 3)) || begins(word, name))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
  return near.length === 0 ? "" : ` Did you mean ${near.map(({ name }) => name).join(" or ")}?`
}

const begins = (word: string, name: string) => word.length >= 2 && name.startsWith(word)
