import type { Problems } from "../../../errors/Refusal.js"
import type { SendEmail, SendMessage } from "../../../model/Action.js"
import { type Capabilities, type Channel, type Channels, channelOf, channelProblem } from "../../../model/Channel.js"
import type { Connection } from "../../../model/Connection.js"
import { missingReceipts } from "../../../resources/channels/missingReceipts.js"
import { type ContentWorld, readTemplate } from "../../../resources/messages/readContent.js"
import { templatesOn } from "../../../resources/templates/templateAccount.js"

/** Problems of the connection that a send names: it does not exist, or its channel differs. */
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

/**
 * Problems of the status that a send waits for: no connection of its channel reports it. Not checked on the preferred
 * channel, nor before the workspace has a connection.
 */
export const receiptProblems = (
  { connectionId, wanted }: SendMessage | SendEmail,
  channel: SendMessage["channel"],
  {
    capabilities,
    connections
  }: {
    readonly capabilities: (connection: Connection) => Capabilities | undefined
    readonly connections: ReadonlyArray<Connection>
  }
): Problems => {
  if (wanted === null || channel === "preferred") return {}
  const missing = connections
    .filter((one) => one.channel === channel && (connectionId === null || one.id === connectionId))
    .map((connection) => missingReceipts(wanted.status, capabilities(connection)))
  return missing.length === 0 || missing.includes(null)
    ? {}
    : { wait_until: [`must be a status that the channel reports: no connection of this action has ${missing[0]}`] }
}

/** Problems of the channel that a send names: it does not exist, or has no subjects. */
export const sendChannelProblems = ({ channel, content }: SendMessage, channels: Channels): Problems => {
  if (channel === "preferred") return {}
  const problem = channelProblem(channels, channel)
  if (problem !== null) return { channel: [problem] }
  const { subjects = false } = channelOf(channels, channel)
  return content.type === "template" || content.subject === null || subjects
    ? {}
    : { subject: ["is not possible on this channel"] }
}

/** The possible channels of an action's template. */
export const channelsOf = ({ channel }: SendMessage, channels: Channels): ReadonlyArray<Channel> =>
  channel === "preferred" ? channels.map(({ name }) => name) : [channel]

/**
 * Problems of the template that an action names, by the rules of a send (docs/reference/messages.md#template-messages).
 * On the preferred channel, one channel without problems is enough; of several accounts of a vendor, one account. The
 * status of the template is not checked, because it can change.
 */
export const templateProblems = (
  action: SendMessage,
  {
    channels,
    defaultLanguage,
    templates
  }: Pick<ContentWorld, "defaultLanguage" | "templates"> & {
    readonly channels: Channels
  }
): Problems => {
  const { channel, content } = action
  if (content.type !== "template") return {}
  const [first, ...others] = channelsOf(action, channels).flatMap((name) => {
    const namesakes = templates.filter((one) => one.channel === name && one.name === content.template)
    const channel = channelOf(channels, name)
    const unlimited = { channel, capabilities: undefined, textProblem: () => null, urlProblem: () => null }
    const { buttonVariables = null, cards = null, files: attachments = null } = content
    const { headerVariable = null, products = null } = content
    const filled = { ...content, headerVariable, buttonVariables, cards, products, attachments }
    const accounts = [...new Set(namesakes.map(({ account }) => account))]
    return accounts.map((account) => {
      const templates = templatesOn(account, namesakes)
      return readTemplate({ ...unlimited, templates, defaultLanguage }, filled).problems
    })
  })
  if (first === undefined) {
    const where = channel === "preferred" ? "" : ` on the channel ${channel}`
    return { template: [`must be the name of a template of this workspace${where}`] }
  }
  return [first, ...others].some((problems) => Object.keys(problems).length === 0) ? {} : first
}
