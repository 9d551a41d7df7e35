import { HttpSender, parseUrl } from "@parley/core"
import { NodeHttpSender } from "@parley/node"
import { Effect, Layer } from "effect"
import { isLoopback } from "./isLoopback.js"
import type { Settings } from "./Settings.js"

/** Addresses to which webhooks may be sent, beyond those of the settings. */
export interface AddressRules {
  /**
   * Whether webhooks may be sent to this machine, over http too: for the demo
   * (docs/reference/webhooks.md#addresses-that-operators-allow).
   */
  readonly loopback: boolean
}

/** Outbound HTTP restricted by the settings and the rules. */
export const layer = ({ webhookAllow, webhookAllowHttp }: Settings, rules: AddressRules): Layer.Layer<HttpSender> =>
  Layer.scoped(
    HttpSender,
    Effect.gen(function* () {
      const sender = yield* NodeHttpSender.make({ allow: webhookAllow, allowHttp: webhookAllowHttp })
      if (!rules.loopback) return sender
      const local = yield* NodeHttpSender.make({ allow: [...webhookAllow, "127.0.0.0/8", "::1/128"], allowHttp: true })
      const refusal = (url: string) => (isLoopback(parseUrl(url)?.hostname ?? "") ? local : sender).refusal(url)
      return { ...local, refusal }
      // The settings are already validated: an invalid CIDR was refused.
    }).pipe(Effect.catchTag("CidrInvalid", (error) => Effect.die(error)))
  )
