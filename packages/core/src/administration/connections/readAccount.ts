import { Either } from "effect"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"
import { normaliseHandle } from "../../resources/contacts/Handle.js"
import type { ConnectionInput } from "./ConnectionInput.js"
import { type ReadSettings, readSettings } from "./readSettings.js"

/** The fields of a new connection that its provider validates, as far as they could be decoded. */
export interface Account extends ReadSettings {
  /** The business's own handle, normalised. */
  readonly handle?: string
  readonly provider?: ChannelProvider
}

/** Validates the channel, handle and settings of an input by its provider. */
export const readAccount = (providers: ChannelProviders, input: PartialDecode<ConnectionInput>["value"]): Account => {
  if (input.provider === undefined) return { problems: {} }
  const provider = providers.byKind.get(input.provider)
  if (provider === undefined) {
    return { problems: { provider: [`must be one of ${[...providers.byKind.keys()].join(", ")}`] } }
  }
  const { channel, handle: text } = input
  const settings = {
    provider,
    ...readSettings(provider, { config: input.config ?? null, credentials: input.credentials ?? null })
  }
  if (channel === undefined || text === undefined) return settings
  if (!provider.channels.includes(channel)) {
    const message = `must be one of ${provider.channels.join(", ")} with this provider`
    return { ...settings, problems: joinProblems(settings.problems, { channel: [message] }) }
  }
  const parse = provider.parseOwnHandle ?? provider.parseHandle
  const handle = Either.flatMap(normaliseHandle(channel, text), (normal) => parse(channel, normal))
  return Either.isLeft(handle)
    ? { ...settings, problems: joinProblems(settings.problems, { handle: [handle.left] }) }
    : { ...settings, handle: handle.right }
}
