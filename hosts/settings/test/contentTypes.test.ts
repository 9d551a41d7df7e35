import { readFileSync } from "node:fs"
import { email } from "@parley/channel-email"
import { messenger } from "@parley/channel-messenger"
import { SandboxProvider } from "@parley/channel-sandbox"
import { sms } from "@parley/channel-sms"
import { telegram } from "@parley/channel-telegram"
import { webchat } from "@parley/channel-webchat"
import { whatsapp } from "@parley/channel-whatsapp"
import { type Channel, type ChannelProvider, type Connection, MessageType } from "@parley/core"
import { describe, expect, it } from "vitest"

const page = readFileSync(new URL("../../../docs/reference/content.md", import.meta.url), "utf8")
const providers = [whatsapp(), messenger(), telegram(), sms(), email(), webchat()]
/** Settings with which a channel carries all of its types. */
const config: Connection["config"] = { pre_chat: ["name"] }
const columns = ["whatsapp", "facebook", "instagram", "telegram", "sms", "email", "webchat"] as const

/** The row of a type: what each channel sends and receives of it. */
const rowOf = (type: MessageType) =>
  columns.map((channel) => {
    const provider = providers.find(({ channels }) => channels.some(({ name }) => name === channel))
    const capabilities = provider?.capabilities({ channel, config } as Connection)
    const {
      receives = ["text"],
      templates = false,
      types = templates ? ["text", "template"] : ["text"]
    } = capabilities ?? {}
    const ways = [
      ...((types as ReadonlyArray<MessageType>).includes(type) ? ["out"] : []),
      ...((receives as ReadonlyArray<MessageType>).includes(type) ? ["in"] : [])
    ]
    const isNumbered = (type === "choices" || type === "choice") && types.includes("text")
    return ways.length > 0 ? ways.join(", ") : isNumbered ? "numbered" : "–"
  })

describe("the reactions of the sandbox", () => {
  it("are those of the vendors", () => {
    const reactionsOf = (provider: ChannelProvider, channel: Channel) =>
      provider.capabilities({ channel, config: {} } as Connection).reactions
    const vendors = providers.flatMap((provider) => provider.channels.map(({ name }) => [name, provider] as const))
    const limited = vendors.filter(([channel, provider]) => reactionsOf(provider, channel) !== undefined)
    expect(limited.map(([channel]) => channel)).toEqual(["instagram", "telegram"])
    for (const [channel, provider] of vendors) {
      expect(reactionsOf(SandboxProvider, channel)).toEqual(reactionsOf(provider, channel))
    }
  })
})

describe("the table of types by channel", () => {
  it("is what the providers declare", () => {
    const rows = MessageType.literals.map((type) => `| \`${type}\` | ${rowOf(type).join(" | ")} |`)
    expect(page).toContain(rows.join("\n"))
  })
})
