import { randomUUID } from "node:crypto"
import { type LargeBody, largeBodies } from "../../world/largeBodies.js"
import { tenantKey } from "../../world/seedSoak.js"
import { type Attack, flood, requester } from "./Attack.js"

/** Posts bodies at the limits of values and keys in turn. */
const post =
  (perSecond: number, headers: Readonly<Record<string, string>>): Attack =>
  (context) => {
    const send = requester(context, 8)
    let next = 0
    return flood(context, perSecond, () => {
      const { body, path, type = "application/json" } = largeBodies[next++ % largeBodies.length] as LargeBody
      return send({
        method: "POST",
        path,
        headers: { "content-type": type, "idempotency-key": randomUUID(), ...headers },
        body
      })
    })
  }

/** Without a key, from one address. */
export const largeBodiesOfStranger = post(5, {})

/** With the key of the second tenant, within its requests a minute. */
export const largeBodiesOfTenant = post(4, { authorization: `Bearer ${tenantKey}` })
