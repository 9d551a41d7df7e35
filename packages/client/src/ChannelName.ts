/** A channel of the interface, or another one of the deployment, as `GET /channels` lists it. */
export type ChannelName = "whatsapp" | "telegram" | "email" | "webchat" | "instagram" | "facebook" | (string & {})
