import { Either, ParseResult, Schema } from "effect"
import { OptOutSetting } from "../../contacts/readOptOut.js"
import type { Problems } from "../../errors/Refusal.js"
import { joinProblems } from "../../input/Draft.js"
import { wholeNumber } from "../../input/Fields.js"
import { given } from "../../input/Patch.js"
import { problemsOf } from "../../input/problemsOf.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"

/** A JSON object in the provider's wire shape. */
export type Settings = { readonly [key: string]: unknown }

/** The settings of a connection that are given and in order, and what is wrong with the others. */
export interface ReadSettings {
  readonly config?: Settings
  /** Not sealed; null where none are needed. */
  readonly credentials?: Settings | null
  /** At `config.<field>` and `credentials.<field>`. */
  readonly problems: Problems
}

/** The longest that a send of one connection may wait for the provider's verdict, in ms. */
const longestVerdictWait = 60_000

/** What every connection may be told, whatever its provider (decisions.md §7). */
const OwnSettings = Schema.Struct({
  verdict_wait_ms: given(wholeNumber(0, longestVerdictWait)),
  opt_out: given(OptOutSetting),
  unknown_outcome: given(Schema.Literal("hold", "resend"))
})

/** Checks settings by the provider's schemas and keeps what these know. Null counts as empty; what is absent is not looked at. */
export const readSettings = (
  provider: ChannelProvider,
  input: { readonly config?: Settings | null | undefined; readonly credentials?: Settings | null | undefined }
): ReadSettings => {
  const theirs = input.config === undefined ? nothing : checked("config", provider.config, input.config ?? {})
  const ours = input.config === undefined ? nothing : checked("config", OwnSettings, input.config ?? {})
  const secret =
    input.credentials === undefined ? nothing : checked("credentials", provider.credentials, input.credentials ?? {})
  return {
    ...(theirs.value && ours.value ? { config: { ...theirs.value, ...ours.value } } : {}),
    ...(secret.value ? { credentials: input.credentials === null ? madeOnly(secret.value) : secret.value } : {}),
    problems: [theirs.problems, ours.problems, secret.problems].reduce(joinProblems)
  }
}

/** Where none were given: what the provider's schema makes by itself, or null. */
const madeOnly = (made: Settings): Settings | null => (Object.keys(made).length === 0 ? null : made)

interface Checked {
  readonly value?: Settings
  readonly problems: Problems
}

const nothing: Checked = { problems: {} }

/** Decoded and encoded again: in wire shape, without what the schema does not know. */
const checked = (field: string, schema: ChannelProvider["config"], value: Settings): Checked => {
  const whole = Schema.Struct({ [field]: schema })
  return ParseResult.decodeUnknownEither(whole, { errors: "all" })({ [field]: value }).pipe(
    Either.flatMap(ParseResult.encodeEither(whole)),
    Either.match({
      onLeft: (issue) => ({ problems: problemsOf(issue) }),
      onRight: (encoded) => ({ value: encoded[field] as Settings, problems: {} })
    })
  )
}
