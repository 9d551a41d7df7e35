import { Either } from "effect"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { channelOf, channelProblem } from "../../model/Channel.js"
import type { ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"
import { handleKind, normaliseHandle, normaliseText } from "../../resources/contacts/Handle.js"
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
  const problem = channelProblem(provider.channels, channel)
  if (problem !== null) {
    const message = `${problem} with this provider`
    return { ...settings, problems: joinProblems(settings.problems, { channel: [message] }) }
  }
  const handle =
    provider.parseOwnHandle === undefined
      ? Either.flatMap(normaliseHandle(handleKind(channelOf(provider.channels, channel)), text), (normal) =>
          provider.parseHandle(channel, normal)
        )
      : Either.flatMap(
          normaliseText(text),
          (normal) => provider.parseOwnHandle?.(channel, normal) ?? Either.right(normal)
        )
  return Either.isLeft(handle)
    ? { ...settings, problems: joinProblems(settings.problems, { handle: [handle.left] }) }
    : { ...settings, handle: handle.right }
}
