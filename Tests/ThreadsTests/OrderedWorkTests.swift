import Testing

import Threads

@Suite struct OrderedWorkTests {
    private struct Stop: Error {}

    @Test("results are returned in the order of the pieces, however many threads there are", arguments: [1, 2, 7])
    func order(threads: Int) throws {
        var pieces = (0..<500).makeIterator()
        var taken: [Int] = []
        try workInOrder(
            threads: threads,
            next: { pieces.next() },
            worker: { { piece in piece * 2 } },
            take: { taken.append($0) }
        )
        #expect(taken == (0..<500).map { $0 * 2 })
    }

    @Test("a failed piece ends the work after all pieces before it were processed")
    func failure() throws {
        var pieces = (0..<500).makeIterator()
        var taken: [Int] = []
        #expect(throws: Stop.self) {
            try workInOrder(
                threads: 3,
                next: { pieces.next() },
                worker: {
                    { piece in
                        if piece == 40 { throw Stop() }
                        return piece
                    }
                },
                take: { taken.append($0) }
            )
        }
        #expect(taken == Array(0..<40))
    }

    @Test("only a few pieces are in progress at a time")
    func bound() throws {
        var (begun, taken, most) = (0, 0, 0)
        try workInOrder(
            threads: 4,
            next: { () -> Int? in
                begun += 1
                most = max(most, begun - taken)
                return begun > 200 ? nil : begun
            },
            worker: { { piece in piece } },
            take: { _ in taken += 1 }
        )
        #expect(taken == 200 && most <= 9)
    }
}
