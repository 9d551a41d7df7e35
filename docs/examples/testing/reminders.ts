import type { Declaration, Parley } from "@parley/embed"

/** The part of a shop's service under test: it thanks customers who write, and reminds them of carts. */
export const declaration = {
  workspace: "acme",
  connections: { desk: { channel: "whatsapp", handle: "+4930123456" } },
  applications: {
    shop: {
      scopes: ["messages.send", "events.send", "contacts.read", "webhooks.receive"],
      connections: ["desk"]
    }
  },
  templates: {
    reminder: { channel: "whatsapp", language: "en", body: "{{1}} is waiting in your cart.", status: "approved" }
  },
  workflows: {
    reminders: {
      trigger: { type: "external_event", event: "cart.abandoned" },
      actions: [
        { type: "wait", for: "2h" },
        {
          type: "send_message",
          channel: "whatsapp",
          template: "reminder",
          language: "en",
          variables: ["{{data.title}}"]
        }
      ]
    }
  }
} as const satisfies Declaration

/** Call it when the service starts. */
export const startReminders = async (parley: Parley) => {
  const { applications, connections } = await parley.setup(declaration)
  const shop = parley.as(applications.shop.id)
  await parley.on(
    "thanks",
    "message.received",
    async ({ data: { message } }) => {
      const { data: contact } = await shop.contacts.get(message.contact_id)
      const to = contact.identities.find(({ channel }) => channel === "whatsapp")?.handle
      if (to === undefined) return
      const text = { channel: "whatsapp", to, type: "text", message: { body: "Thank you! We answer soon." } } as const
      await shop.messages.send(text, { idempotencyKey: `thanks ${message.id}` })
    },
    { application: applications.shop.id }
  )
  return { shop, deskId: connections.desk.id }
}
