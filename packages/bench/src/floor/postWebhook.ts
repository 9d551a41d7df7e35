import type { OutboundRequest } from "@parley/core"
import type { Dispatcher } from "undici"

/** Posts a webhook and reads its response; `onEnd` gets the status. A failed post ends the program. */
export const postWebhook = (
  agent: Dispatcher,
  { body, headers, url }: Pick<OutboundRequest, "body" | "headers" | "url">,
  onEnd: (status: number) => void
): void => {
  const { origin, pathname } = urlOf(url)
  let status = 0
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {},
    onResponseStart: (_, answered) => {
      status = answered
    },
    onResponseData: () => {},
    onResponseEnd: () => onEnd(status),
    onResponseError: (_, error) => {
      throw error
    }
  }
  agent.dispatch({ origin, path: pathname, method: "POST", headers, body }, handler)
}

const urls = new Map<string, URL>()

const urlOf = (text: string): URL => {
  let url = urls.get(text)
  if (url === undefined) {
    url = new URL(text)
    urls.set(text, url)
  }
  return url
}
