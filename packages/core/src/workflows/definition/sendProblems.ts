import { Channel } from "../../channels/Channel.js"
import type { Connection } from "../../channels/Connection.js"
import type { Problems } from "../../errors/Refusal.js"
import { type ContentWorld, readTemplate } from "../../messages/readContent.js"
import type { SendEmail, SendMessage } from "./Action.js"

/** What is wrong with the connection that a send names: it is not there, or of another channel. */
export const connectionProblems = (
  { connectionId }: SendMessage | SendEmail,
  channel: SendMessage["channel"],
  { connections }: { readonly connections: ReadonlyArray<Connection> }
): Problems => {
  if (connectionId === null) return {}
  const connection = connections.find(({ id }) => id === connectionId)
  if (connection === undefined) return { connection_id: ["must be the id of a connection of this workspace"] }
  return connection.channel === channel ? {} : { connection_id: [`must be a connection of the channel ${channel}`] }
}

/** The channels that an action's template may be on. */
export const channelsOf = ({ channel }: SendMessage): ReadonlyArray<Channel> =>
  channel === "preferred" ? Channel.literals : [channel]

/**
 * What is wrong with the template that an action names, by the rules of a send (decisions.md §7). Without a channel, one
 * that could be sent on some channel is enough. Whether it may be sent now is not asked: that changes.
 */
export const templateProblems = (
  action: SendMessage,
  { defaultLanguage, templates }: Pick<ContentWorld, "defaultLanguage" | "templates">
): Problems => {
  const { channel, content } = action
  if (content.type !== "template") return {}
  const [first, ...others] = channelsOf(action).flatMap((channel) => {
    const namesakes = templates.filter((one) => one.channel === channel && one.name === content.template)
    const against = { channel, capabilities: undefined, textProblem: () => null, templates: namesakes, defaultLanguage }
    return namesakes.length === 0 ? [] : [readTemplate(against, content).problems]
  })
  if (first === undefined) {
    const where = channel === "preferred" ? "" : ` on the channel ${channel}`
    return { template: [`must be the name of a template of this workspace${where}`] }
  }
  return [first, ...others].some((problems) => Object.keys(problems).length === 0) ? {} : first
}
