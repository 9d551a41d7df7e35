import { Entitlements, refuse } from "@parley/core"
import { Effect, Layer } from "effect"

/** Acme's billing data of a customer with one workspace. */
export interface Account {
  readonly contacts: { readonly used: number; readonly limit: number }
  readonly balanceCents: number
}

const priceCents = 5

/** Limits contacts by plan, and messages by the wallet's balance. */
export const acmeEntitlements = (accountOf: (workspaceId: string) => Effect.Effect<Account>) =>
  Layer.succeed(Entitlements, {
    check: ({ workspaceId }, operation) =>
      Effect.gen(function* () {
        const { balanceCents, contacts } = yield* accountOf(workspaceId)
        if (operation === "contacts.create" && contacts.used >= contacts.limit) {
          const details = { resource: "contacts", ...contacts }
          return yield* refuse(
            "limit_reached",
            details,
            `Your plan has ${contacts.limit} contacts. Change it to add more.`
          )
        }
        if (operation === "messages.send" && balanceCents < priceCents) {
          const details = { balance_cents: balanceCents, price_cents: priceCents }
          return yield* refuse("insufficient_balance", details, "Your wallet does not cover this message. Top it up.")
        }
      })
  })
