import { type Connection, given, oneOf } from "@parley/core"
import { Either, Schema } from "effect"

/**
 * Other base URLs of a vendor's API that connections of a host may have: of a simulator, a proxy or an own server. The
 * operator lists them, because the connection's credentials go there.
 */
export interface ApiUrlsOptions {
  /** Default: none. */
  readonly apiUrls?: ReadonlyArray<string>
}

/** The `config` of a provider with the setting `api_url`; as it is without {@link ApiUrlsOptions.apiUrls}. */
export const withApiUrl = <Fields extends Schema.Struct.Fields>(
  config: Schema.Struct<Fields>,
  { apiUrls = [] }: ApiUrlsOptions
): Schema.Schema.AnyNoContext =>
  apiUrls.length === 0
    ? (config as unknown as Schema.Schema.AnyNoContext)
    : (Schema.Struct({
        ...config.fields,
        api_url: given(
          oneOf(apiUrls).annotations({
            title: "API URL",
            description: "The base URL of the vendor's API, for a simulator or a proxy. Default: the vendor's own."
          })
        )
      }) as unknown as Schema.Schema.AnyNoContext)

/**
 * The API of a connection, by its `api_url`. Fails, with a problem to show, if the host does not list the URL: the
 * vendor's own API would send messages that are meant for a simulator.
 */
export const apiOfConnection = <Api>(
  { apiUrls = [] }: ApiUrlsOptions,
  vendors: Api,
  make: (apiUrl: string) => Api
): ((connection: Pick<Connection, "config">) => Either.Either<Api, string>) => {
  const others = new Map(apiUrls.map((url): [unknown, Api] => [url, make(url)]))
  return ({ config: { api_url } }) =>
    api_url === undefined
      ? Either.right(vendors)
      : Either.fromNullable(others.get(api_url), () => "The connection's api_url is not one that this host allows.")
}
