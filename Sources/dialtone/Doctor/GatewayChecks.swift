import Delivery
import PhoneAuth
import RedisScripts
import SMSGateways

/// Checks of the gateways, as dispatchers reach them. No message and no mail is sent.
enum GatewayChecks {
    /// Returns a finding about each gateway.
    static func findings(_ settings: Settings) -> [Finding] {
        guard let clients = try? settings.gatewayClients(), let mailGateways = try? settings.mailGateways(clients)
        else { return [] }
        let gateways = settings.smsGateways(clients)
        return waitFor {
            var findings: [Finding] = []
            for gateway in gateways { findings.append(finding(gateway.name, await gateway.check())) }
            for gateway in mailGateways { findings.append(finding(gateway.name, await gateway.check())) }
            for client in clients.values { await client.shutDown() }
            return findings
        }
    }

    private static func finding(_ name: GatewayName, _ fault: GatewayOutcome?) -> Finding {
        .check(
            name.text,
            "responds and accepts the credentials, as far as it tells without a message",
            wrong: fault.map { (.critical, "\($0)", $0.remedy(prefix: SettingName.gateway(name.text))) }
        )
    }
}
