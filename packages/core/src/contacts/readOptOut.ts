import { Schema } from "effect"
import type { Connection } from "../channels/Connection.js"
import { listOf, requiredText, worded } from "../input/Fields.js"
import { type OptOutWords, optOutWords } from "./optOutWords.js"
import { plainText } from "./plainText.js"

const words = listOf(requiredText(50), 100)

/** `opt_out` in a connection's `config`: its own words instead of {@link optOutWords}, or false where no word means anything. */
export const OptOutSetting = Schema.Union(Schema.Literal(false), Schema.Struct({ stop: words, start: words })).pipe(
  worded("must be false, or an object with the lists stop and start of at most 100 words of 1 to 50 characters")
)

/**
 * What a customer's text says of being written to: true where it is, as a whole, a word for no more of it, false where it is one for
 * more, null where it is neither.
 */
export const readOptOut = ({ config }: Pick<Connection, "config">, text: string): boolean | null => {
  const written = withoutSignature(text)
  // Longer than any word with what stands around it.
  if (written.length > 200) return null
  const known = config.opt_out === undefined ? byDefault : own(config.opt_out)
  const said = plainText(written)
  return known.stop.has(said) ? true : known.start.has(said) ? false : null
}

/** Mail programs put one under whatever somebody writes, below a line of two dashes (RFC 3676, 4.3). */
const withoutSignature = (text: string): string => text.split(/\n-- ?\r?\n/, 1)[0] ?? ""

interface Words {
  readonly stop: ReadonlySet<string>
  readonly start: ReadonlySet<string>
}

const plainWords = (all: ReadonlyArray<OptOutWords>): Words => ({
  stop: plainSet(all.flatMap(({ stop }) => stop)),
  start: plainSet(all.flatMap(({ start }) => start))
})

/** A word of nothing but punctuation is none: it would be in every text without words. */
const plainSet = (words: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(words.map(plainText).filter((word) => word !== ""))

const byDefault = plainWords(Object.values(optOutWords))

const isSetting = Schema.is(OptOutSetting)

/** What was stored before it was checked means nothing. */
const own = (setting: unknown): Words => plainWords(isSetting(setting) && setting !== false ? [setting] : [])
