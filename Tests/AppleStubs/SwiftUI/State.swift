// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Combine

@propertyWrapper public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}

    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}

    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

@MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType: ObservableObject> {
    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}

    @MainActor @preconcurrency public var wrappedValue: ObjectType { fatalError() }
}

public enum KeyboardFocus {}
public enum AccessibilityFocus {}

public typealias FocusState<Value: Hashable> = StateOfFocus<KeyboardFocus, Value>
public typealias AccessibilityFocusState<Value: Hashable> = StateOfFocus<AccessibilityFocus, Value>

// In the SDK, these are two structures.
@propertyWrapper public struct StateOfFocus<Focus, Value: Hashable> {
    @propertyWrapper public struct Binding {
        private init(_: Value) {}

        public var wrappedValue: Value {
            get { fatalError() }
            nonmutating set {}
        }
        public var projectedValue: Binding { self }
    }

    public init() where Value == Bool {}

    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding { fatalError() }
}
