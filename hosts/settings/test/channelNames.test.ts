import { readdirSync, readFileSync } from "node:fs"
import { email } from "@parley/channel-email"
import { messenger } from "@parley/channel-messenger"
import { sms } from "@parley/channel-sms"
import { telegram } from "@parley/channel-telegram"
import { webchat } from "@parley/channel-webchat"
import { whatsapp } from "@parley/channel-whatsapp"
import { describe, expect, it } from "vitest"

/** How many times files of the engine and of the interface may have a channel's name as a string, by the reason. */
const allowed: { readonly [reason: string]: { readonly [file: string]: number } } = {
  "the kinds of identities, which the interface lists, and their handles": {
    "core/src/model/Contact.ts": 5,
    "core/src/resources/contacts/Handle.ts": 3
  },
  "the field `email` of a contact, which is an identity too": {
    "core/src/resources/contacts/channelAddresses.ts": 2,
    "core/src/resources/contacts/contactHandles.ts": 2,
    "core/src/resources/contacts/contactName.ts": 1,
    "core/src/resources/contacts/contactReferences.ts": 1,
    "core/src/resources/contacts/findOrCreateContact.ts": 1,
    "core/src/resources/contacts/newContact.ts": 2,
    "core/src/resources/contacts/patchedIdentities.ts": 3,
    "core/src/resources/contacts/updateContact.ts": 2
  },
  "the address of an agent": {
    "core/src/resources/agents/AgentInput.ts": 2
  },
  "a bot's question for an address": {
    "core/src/flows/bots/StepInput.ts": 4,
    "core/src/flows/bots/readAnswer.ts": 2,
    "core/src/model/Script.ts": 1
  },
  "the action `send_email` of workflows, which has no field for its channel": {
    "core/src/flows/workflows/actions/sendToContact.ts": 1,
    "core/src/flows/workflows/definition/definitionReferences.ts": 2
  },
  "examples in the OpenAPI document": {
    "core/src/flows/connections/ConnectionInput.ts": 1,
    "core/src/flows/workflows/BusinessEventInput.ts": 1,
    "core/src/flows/workflows/definition/ActionInput.ts": 1,
    "core/src/resources/channels/ChannelResource.ts": 1,
    "core/src/resources/channels/ConnectionResource.ts": 1,
    "core/src/resources/channels/ProviderResource.ts": 2,
    "core/src/resources/contacts/ContactInput.ts": 4,
    "core/src/resources/contacts/ContactResource.ts": 3,
    "core/src/resources/contacts/history/ContactHistoryResource.ts": 1,
    "core/src/resources/conversations/ConversationResource.ts": 1,
    "core/src/resources/messages/SendMessageInput.ts": 10,
    "core/src/resources/templates/TemplateInput.ts": 2,
    "core/src/resources/templates/TemplateResource.ts": 1
  }
}

const providers = [whatsapp(), messenger(), telegram(), sms(), email(), webchat()]
const names = providers.flatMap(({ channels }) => channels.map(({ name }) => name))
const named = new RegExp(`(["'\`])(?:${names.join("|")})\\1`, "g")
const comments = /^\s*(?:\/\*|\*|\/\/).*$/gm
const namesIn = (source: string): number => [...source.replace(comments, "").matchAll(named)].length

const packages = new URL("../../../packages/", import.meta.url)
const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(new URL(folder, packages), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file}`)

describe("the engine and the interface", () => {
  it("are searched for names in any quotes, but not in comments", () => {
    const source = ["/** `sms` */", " * `sms`", "  // 'sms'", `a["sms"] === 'email' || \`webchat\` // sms`].join("\n")
    expect(namesIn(source)).toBe(3)
  })

  it("name no channel, except where the interface itself does", () => {
    const counts = [...sources("core/src"), ...sources("http/src")].map(
      (file) => [file, namesIn(readFileSync(new URL(file, packages), "utf8"))] as const
    )
    expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(
      Object.assign({}, ...Object.values(allowed))
    )
  })
})
