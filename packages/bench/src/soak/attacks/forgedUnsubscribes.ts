import { randomUUID } from "node:crypto"
import { type Attack, flood, requester } from "./Attack.js"

const perSecond = 50

/** One-click unsubscribes with ids that are not signed. */
export const forgedUnsubscribes: Attack = (context) => {
  const send = requester(context)
  return flood(context, perSecond, () =>
    send({
      method: "POST",
      path: `/unsubscribe?id=${randomUUID().replaceAll("-", "").padEnd(42, "0")}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click"
    })
  )
}
