import { type Attack, flood, requester } from "./Attack.js"

const perSecond = 50
const paths = ["/readyz", "/metrics", "/admin/v1/status", "/admin/v1/openapi.json"]

/** Probes, metrics and the admin API under a foreign host name, as after DNS rebinding. */
export const foreignHosts: Attack = (context) => {
  const send = requester(context)
  let next = 0
  return flood(context, perSecond, () =>
    send({
      method: next % 3 === 0 ? "HEAD" : "GET",
      path: paths[next++ % paths.length] as string,
      headers: { host: "rebound.example", origin: "https://rebound.example" }
    })
  )
}
