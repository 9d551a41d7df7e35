import { Schema } from "effect"
import { listOf, requiredText, withMessage } from "../../kernel/input/Fields.js"
import { keywordText } from "../../kernel/text/keywordText.js"
import type { Connection } from "../../model/Connection.js"
import { type OptOutKeywords, optOutKeywords } from "./optOutKeywords.js"

const keywordList = listOf(requiredText(50), 100)

/**
 * `opt_out` in a connection's `config`: keywords that replace the built-in ones ({@link optOutKeywords}), or false to
 * disable keywords.
 */
export const OptOutSetting = Schema.Union(
  Schema.Literal(false),
  Schema.Struct({ stop: keywordList, start: keywordList })
).pipe(
  withMessage("must be false, or an object with the lists stop and start of at most 100 words of 1 to 50 characters")
)

/** Reads an opt-out keyword: true if the whole text is an opt-out keyword, false for an opt-in keyword, else null. */
export const readOptOut = ({ config }: Pick<Connection, "config">, text: string): boolean | null => {
  const written = withoutSignature(text)
  // Longer than any keyword with surrounding punctuation.
  if (written.length > 200) return null
  const known = config.opt_out === undefined ? byDefault : own(config.opt_out)
  const said = keywordText(written)
  return known.stop.has(said) ? true : known.start.has(said) ? false : null
}

/** Removes the signature that mail programs append below a line of two dashes (RFC 3676, 4.3). */
const withoutSignature = (text: string): string => text.split(/\n-- ?\r?\n/, 1)[0] ?? ""

interface KeywordSet {
  readonly stop: ReadonlySet<string>
  readonly start: ReadonlySet<string>
}

const keywords = (all: ReadonlyArray<OptOutKeywords>): KeywordSet => ({
  stop: plainSet(all.flatMap(({ stop }) => stop)),
  start: plainSet(all.flatMap(({ start }) => start))
})

/** Drops keywords that consist of punctuation only: they would match every text without words. */
const plainSet = (keywords: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(keywords.map(keywordText).filter((word) => word !== ""))

const byDefault = keywords(Object.values(optOutKeywords))

const isSetting = Schema.is(OptOutSetting)

/** A stored setting that is invalid counts as no keywords. */
const own = (setting: unknown): KeywordSet => keywords(isSetting(setting) && setting !== false ? [setting] : [])
