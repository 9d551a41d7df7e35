export * from "./SmsConfig.js"
export * from "./SmsCredentials.js"
export * from "./SmsOptions.js"
export * from "./sms.js"
