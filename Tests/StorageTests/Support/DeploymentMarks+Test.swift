import PhoneAuth
import RedisScripts

extension DeploymentMarks {
    static let test = DeploymentMarks(keys: "5eeda11cb0a7c0de", indexKeys: [1: "1dea1dea1dea1dea"])
    /// The marks of another deployment.
    static let other = DeploymentMarks(keys: "0ddba11cb0a7c0de", indexKeys: [1: "1dea0dd11dea0dd1"])
}

extension RedisExpectation {
    static func test(replicasBeforeAnswer replicas: Int = 0) -> RedisExpectation {
        RedisExpectation(shards: .standard, marks: .test, replicasBeforeAnswer: replicas)
    }
}
