import { HttpSender, parseUrl } from "@parley/core"
import { NodeHttpSender } from "@parley/node"
import { Effect, Layer } from "effect"
import type { Settings } from "./Settings.js"

/** Which addresses webhooks may go to, beyond what the settings let through. */
export interface AddressRules {
  /** Whether this machine itself may be sent webhooks, over http too: for the demo (decisions.md §12). */
  readonly loopback: boolean
}

/** Outbound HTTP as the settings and the rules have it. */
export const layer = ({ webhookAllow, webhookAllowHttp }: Settings, rules: AddressRules): Layer.Layer<HttpSender> =>
  Layer.scoped(
    HttpSender,
    Effect.gen(function* () {
      const sender = yield* NodeHttpSender.make({ allow: webhookAllow, allowHttp: webhookAllowHttp })
      if (!rules.loopback) return sender
      const local = yield* NodeHttpSender.make({ allow: [...webhookAllow, "127.0.0.0/8", "::1/128"], allowHttp: true })
      return {
        post: local.post,
        refusal: (url: string) => (isLoopback(parseUrl(url)?.hostname ?? "") ? local : sender).refusal(url)
      }
      // The settings have been read: what is no CIDR was refused there.
    }).pipe(Effect.catchTag("CidrInvalid", (error) => Effect.die(error)))
  )

/** Whether a host, as a URL or a setting writes it, is this machine's own. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || /^127(\.\d{1,3}){3}$/.test(host) || /^\[?::1\]?$/.test(host)
