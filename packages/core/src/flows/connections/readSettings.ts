import { Either, ParseResult, Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { wholeNumber } from "../../kernel/input/Fields.js"
import { joinProblems } from "../../kernel/input/PartialDecode.js"
import { given } from "../../kernel/input/Patch.js"
import { problemsOf } from "../../kernel/input/problemsOf.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import { OptOutSetting } from "../../resources/contacts/readOptOut.js"

/** A JSON object in the provider's wire shape. */
export type Settings = { readonly [key: string]: unknown }

/** The given settings of a connection that are valid, and the problems of the others. */
export interface ReadSettings {
  readonly config?: Settings
  /** In plain text, not sealed; null if the provider needs none. */
  readonly credentials?: Settings | null
  /** By `config.<field>` and `credentials.<field>`. */
  readonly problems: Problems
}

/** Maximum of `verdict_wait_ms`, in ms. */
const maxVerdictWaitMs = 60_000

/** Settings that all connections have, whatever their provider (docs/reference/channels.md#connection-settings). */
const OwnSettings = Schema.Struct({
  verdict_wait_ms: given(wholeNumber(0, maxVerdictWaitMs)),
  opt_out: given(OptOutSetting),
  marketing: given(Schema.Boolean),
  unknown_outcome: given(Schema.Literal("hold", "resend"))
})

/**
 * Validates settings by the provider's schemas and {@link OwnSettings}, and drops unknown fields. Null counts as empty;
 * absent settings are skipped.
 */
export const readSettings = (
  provider: ChannelProvider,
  input: { readonly config?: Settings | null | undefined; readonly credentials?: Settings | null | undefined }
): ReadSettings => {
  const providerSettings = input.config === undefined ? nothing : checked("config", provider.config, input.config ?? {})
  const ownSettings = input.config === undefined ? nothing : checked("config", OwnSettings, input.config ?? {})
  const secret =
    input.credentials === undefined ? nothing : checked("credentials", provider.credentials, input.credentials ?? {})
  return {
    ...(providerSettings.value && ownSettings.value
      ? { config: { ...providerSettings.value, ...ownSettings.value } }
      : {}),
    ...(secret.value ? { credentials: input.credentials === null ? nullIfEmpty(secret.value) : secret.value } : {}),
    problems: [providerSettings.problems, ownSettings.problems, secret.problems].reduce(joinProblems)
  }
}

/** Credentials that the provider's schema generates when none are given; null if it generates none. */
const nullIfEmpty = (made: Settings): Settings | null => (Object.keys(made).length === 0 ? null : made)

interface Checked {
  readonly value?: Settings
  readonly problems: Problems
}

const nothing: Checked = { problems: {} }

/** Decodes and encodes again, which yields wire shape without unknown fields. */
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
