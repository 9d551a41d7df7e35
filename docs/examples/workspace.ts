import type { Declaration, Parley } from "@parley/embed"

/** The workspace of a shop. The key of each part is its name: keep it, and change the rest as you like. */
export const shop = {
  workspace: "acme",
  connections: {
    desk: { channel: "email", provider: "sandbox", handle: "desk@acme.example" }
  },
  templates: {
    shipped: { channel: "whatsapp", language: "en", body: "Your order {{1}} is on its way.", status: "approved" }
  },
  applications: {
    shop: { scopes: ["messages.send", "events.send", "webhooks.receive"], connections: ["desk"] }
  },
  endpoints: {
    orders: {
      application: "shop",
      url: "https://shop.example/hooks/parley",
      events: ["message.delivered", "message.failed"],
      secret: process.env.WEBHOOK_SECRET
    }
  },
  workflows: {
    thanks: {
      trigger: { type: "external_event", event: "order.paid" },
      actions: [{ type: "add_tag", tag: "customer" }]
    }
  }
} as const satisfies Declaration

/** Call it when your service starts, in each of its processes. Returns the calls of the application. */
export const startShop = async (parley: Parley) => {
  const made = await parley.setup(shop)
  for (const { kind, part } of made.differences) console.log(`${part} was ${kind}`)
  return parley.as(made.applications.shop.id)
}
