import com.google.common.collect.ImmutableList;
import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.NavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import com.google.common.collect.testing.features.MapFeature;
import com.google.common.collect.testing.features.SetFeature;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/** The suites that guava-testlib generates, for collections of Guava and of the JDK. */
@RunWith(AllTests.class)
public class GuavaSuite extends TestCase {
    public static Test suite() {
        TestSuite all = new TestSuite();
        all.addTest(ListTestSuiteBuilder.using(new TestStringListGenerator() {
            @Override
            protected List<String> create(String[] elements) {
                return ImmutableList.copyOf(elements);
            }
        }).named("ImmutableList").withFeatures(CollectionSize.ANY, CollectionFeature.SERIALIZABLE, CollectionFeature.ALLOWS_NULL_QUERIES)
            .createTestSuite());
        all.addTest(ListTestSuiteBuilder.using(new TestStringListGenerator() {
            @Override
            protected List<String> create(String[] elements) {
                return new java.util.ArrayList<>(Arrays.asList(elements));
            }
        }).named("ArrayList").withFeatures(CollectionSize.ANY, ListFeature.GENERAL_PURPOSE, CollectionFeature.SERIALIZABLE,
            CollectionFeature.ALLOWS_NULL_VALUES, CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION).createTestSuite());
        all.addTest(SetTestSuiteBuilder.using(new TestStringSetGenerator() {
            @Override
            protected Set<String> create(String[] elements) {
                return new LinkedHashSet<>(Arrays.asList(elements));
            }
        }).named("LinkedHashSet").withFeatures(CollectionSize.ANY, SetFeature.GENERAL_PURPOSE, CollectionFeature.KNOWN_ORDER,
            CollectionFeature.SERIALIZABLE, CollectionFeature.ALLOWS_NULL_VALUES, CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION)
            .createTestSuite());
        all.addTest(NavigableMapTestSuiteBuilder.using(new TestStringSortedMapGenerator() {
            @Override
            protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                TreeMap<String, String> map = new TreeMap<>();
                for (var e : entries) map.put(e.getKey(), e.getValue());
                return map;
            }
        }).named("TreeMap").withFeatures(CollectionSize.ANY, MapFeature.GENERAL_PURPOSE, MapFeature.ALLOWS_NULL_VALUES,
            CollectionFeature.SUPPORTS_ITERATOR_REMOVE, CollectionFeature.KNOWN_ORDER, CollectionFeature.SERIALIZABLE,
            CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION).createTestSuite());
        return all;
    }
}
