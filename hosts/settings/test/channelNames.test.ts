import { readdirSync, readFileSync } from "node:fs"
import { email } from "@parley/channel-email"
import { messenger } from "@parley/channel-messenger"
import { sms } from "@parley/channel-sms"
import { telegram } from "@parley/channel-telegram"
import { webchat } from "@parley/channel-webchat"
import { whatsapp } from "@parley/channel-whatsapp"
import { describe, expect, it } from "vitest"

/** Files of the engine and of the interface that may have a channel's name in a string, by the reason. */
const allowed = {
  "the kinds of identities, which the interface lists, and their handles": [
    "core/src/model/Contact.ts",
    "core/src/resources/contacts/Handle.ts"
  ],
  "the field `email` of a contact, which is an identity too": [
    "core/src/resources/contacts/channelAddresses.ts",
    "core/src/resources/contacts/contactHandles.ts",
    "core/src/resources/contacts/contactName.ts",
    "core/src/resources/contacts/contactReferences.ts",
    "core/src/resources/contacts/findOrCreateContact.ts",
    "core/src/resources/contacts/newContact.ts",
    "core/src/resources/contacts/patchedIdentities.ts",
    "core/src/resources/contacts/updateContact.ts"
  ],
  "the address of an agent": ["core/src/resources/agents/AgentInput.ts"],
  "a bot's question for an address": [
    "core/src/flows/bots/StepInput.ts",
    "core/src/flows/bots/readAnswer.ts",
    "core/src/model/Script.ts"
  ],
  "the action `send_email` of workflows, which has no field for its channel": [
    "core/src/flows/workflows/actions/sendToContact.ts",
    "core/src/flows/workflows/definition/definitionReferences.ts"
  ],
  "examples in the OpenAPI document": [
    "core/src/flows/connections/ConnectionInput.ts",
    "core/src/flows/workflows/BusinessEventInput.ts",
    "core/src/flows/workflows/definition/ActionInput.ts",
    "core/src/resources/channels/ChannelResource.ts",
    "core/src/resources/channels/ConnectionResource.ts",
    "core/src/resources/channels/ProviderResource.ts",
    "core/src/resources/contacts/ContactInput.ts",
    "core/src/resources/contacts/ContactResource.ts",
    "core/src/resources/contacts/history/ContactHistoryResource.ts",
    "core/src/resources/conversations/ConversationResource.ts",
    "core/src/resources/messages/SendMessageInput.ts",
    "core/src/resources/templates/TemplateInput.ts",
    "core/src/resources/templates/TemplateResource.ts"
  ]
}

const providers = [whatsapp(), messenger(), telegram(), sms(), email(), webchat()]
const names = providers.flatMap(({ channels }) => channels.map(({ name }) => name))
const named = new RegExp(`"(?:${names.join("|")})"`)

const packages = new URL("../../../packages/", import.meta.url)
const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(new URL(folder, packages), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file}`)

describe("the engine and the interface", () => {
  it("name no channel, except where the interface itself does", () => {
    const files = [...sources("core/src"), ...sources("http/src")].filter((file) =>
      named.test(readFileSync(new URL(file, packages), "utf8"))
    )
    expect(files.sort()).toEqual(Object.values(allowed).flat().sort())
  })
})
